/** "PETS": the `application_id` of SQLite files. On PostgreSQL this number and the next one are advisory locks. */
export const APPLICATION_ID = 0x50455453;
