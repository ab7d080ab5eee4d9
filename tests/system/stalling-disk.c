/*
 * Preloaded into a server (LD_PRELOAD), this simulates a disk that does not respond or that fails. While the file
 * DISK_COMMAND exists, it has two words: what a sync does, `stall` or `fail`, and the end of the affected file names.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int name_ends_with(int fd, const char *ending) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  size_t ending_length = strlen(ending);
  return (size_t)length >= ending_length && strcmp(path + length - ending_length, ending) == 0;
}

/* Waits while syncs of the file stall. Returns whether the sync must fail. */
static int wait_for_disk(int fd) {
  const char *command_file = getenv("DISK_COMMAND");
  for (;;) {
    char action[16] = "", ending[256] = "";
    FILE *file = command_file ? fopen(command_file, "r") : NULL;
    if (!file) return 0;
    int words = fscanf(file, "%15s %255s", action, ending);
    fclose(file);
    if (words != 2 || !name_ends_with(fd, ending)) return 0;
    if (strcmp(action, "fail") == 0) return 1;
    usleep(10000);
  }
}

static int sync_file(const char *name, int fd) {
  int (*original)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (!wait_for_disk(fd)) return original(fd);
  errno = EIO;
  return -1;
}

int fsync(int fd) { return sync_file("fsync", fd); }
int fdatasync(int fd) { return sync_file("fdatasync", fd); }
