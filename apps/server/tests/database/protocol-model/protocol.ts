import { type Model, Violation } from './explore.ts';
import {
  type Append,
  at,
  type History,
  highestOf,
  idsOf,
  last,
  newServer,
  type Rules,
  type Scenario,
  type Server,
  union,
  type World,
} from './world.ts';

/** The protocol of any number of servers on one PostgreSQL, and what can happen to them. */
export function protocol(rules: Rules, scenario: Scenario): Model<World> {
  const { tasks } = scenario;

  function* next(world: World): Generator<readonly [string, World]> {
    const { histories } = world;
    const text = JSON.stringify(world);
    const primary = histories.length - 1;
    /** A step: it changes a copy of the world, which then has to keep every promise. */
    const step = (name: string, change: (copy: World, database: History) => void): [string, World] => {
      const copy: World = JSON.parse(text);
      change(copy, last(copy.histories));
      check(copy, name);
      return [name, copy];
    };

    // To acknowledge concerns nothing else: later than at once it would come only to lead to the same states.
    const toAcknowledge = world.appends.find((each) => each.at === 'committed' && each.server >= 0);
    for (const [index, server] of world.servers.entries()) {
      if (toAcknowledge && toAcknowledge.server !== index) continue;
      const task = tasks[index]?.[server.done];
      const name = 'ABC'[index];
      if (task === undefined) continue;
      const append = world.appends.find((each) => each.server === index);
      if (task === 'read') yield* read(index);
      else if (append === undefined) {
        yield step(`${name} sends ${task.create}`, (copy, database) => {
          copy.appends.push({
            server: index,
            of: task.create,
            key: task.key,
            at: 'arrived',
            snapshot: { highest: highestOf(database), issued: database.issued, records: database.records },
            id: 0,
            adds: true,
          });
        });
      } else if (append.at === 'committed') {
        yield step(`${name} acknowledges ${task.create}`, (copy) => {
          const of = task.key ?? task.create;
          const before = copy.acknowledged[of];
          if (before !== undefined && before !== append.id && before !== copy.removed?.id)
            throw new Violation(`${task.key} was ${before} and is ${append.id}`);
          copy.acknowledged[of] = append.id;
          copy.appends = copy.appends.filter((each) => each.server !== index);
          const { shown, seen } = at(copy.servers, index);
          Object.assign(at(copy.servers, index), {
            done: server.done + 1,
            seen: Math.max(seen, primary),
            shown: union(shown, [append.id]),
          });
        });
      }
      if (world.faults > 0 && task !== 'read' && append !== undefined) {
        yield step(`${name} crashes`, (copy) => {
          copy.faults -= 1;
          for (const each of copy.appends) if (each.server === index) each.server = -1;
          const { cursor, got } = server;
          copy.servers[index] = { ...newServer(), done: server.done + 1, cursor, got };
        });
        yield step(`${name} loses its connection`, (copy) => {
          copy.faults -= 1;
          loseConnection(copy, index);
        });
      }
    }
    if (world.faults > 0 && primary === 0) yield step('failover', failOver);
    if (toAcknowledge) return;
    for (const [index, append] of world.appends.entries()) yield* work(index, append);
    if (scenario.removes && world.removed === undefined) yield* remove();

    /** One message, in the database. */
    function* work(
      index: number,
      { at: stage, of, key, snapshot }: Append,
    ): Generator<readonly [string, World]> {
      const turn = (name: string, apply: (append: Append, copy: World, database: History) => void) =>
        step(`${name} ${of}`, (copy, database) => apply(at(copy.appends, index), copy, database));
      if (stage === 'arrived' && (world.lock === '' || !rules.takesLock)) {
        yield turn('locks for', (append, copy) => {
          if (rules.takesLock) copy.lock = of;
          append.at = 'locked';
        });
      }
      if (stage === 'locked') {
        yield turn('writes', (append, copy, database) => {
          const { records, issued } = rules.looksUnderLock ? database : snapshot;
          const highest = rules.looksUnderLock ? highestOf(database) : snapshot.highest;
          const known = key === undefined ? undefined : records[key];
          if (known !== undefined && !idsOf(database).includes(known))
            throw new Violation(`the key of ${of} leads to ${known}, which is gone`);
          append.adds = known === undefined;
          append.id = known ?? takeId(database, { issued, highest }, copy.servers[append.server]);
          append.at = 'written';
          if (!rules.holdsLockToCommit) copy.lock = '';
        });
      }
      if (stage === 'written') {
        yield turn('commits', (append, copy, database) => {
          if (copy.lock === of) copy.lock = '';
          const { id, adds } = append;
          // A unique violation: the server tries again.
          const isTaken = idsOf(database).includes(id) || (key !== undefined && key in database.records);
          if (adds && isTaken) copy.appends.splice(index, 1);
          else {
            if (adds) database.pets.push({ id, of: key ?? of });
            if (adds && key !== undefined && rules.recordsWithPet) database.records[key] = id;
            append.at = rules.recordsWithPet ? 'committed' : 'half';
            if (append.at === 'committed' && append.server < 0) copy.appends.splice(index, 1);
          }
        });
      }
      if (stage === 'half') {
        yield turn('saves the record of', (append, copy, database) => {
          if (append.adds && key !== undefined) database.records[key] = append.id;
          append.at = 'committed';
          if (append.server < 0) copy.appends.splice(index, 1);
        });
      }
    }

    function takeId(
      database: History,
      { issued, highest }: { issued: number; highest: number },
      server: Server | undefined,
    ): number {
      if (rules.idsFollowHighest || server === undefined) {
        const id = Math.max(rules.idsFollowSequence ? issued : 0, highest) + 1;
        database.issued = Math.max(database.issued, id);
        return id;
      }
      const [next, end] = server.block;
      const isUsedUp = next > end;
      const id = isUsedUp ? database.issued + 1 : next;
      if (isUsedUp) database.issued += 10;
      server.block = [id + 1, isUsedUp ? database.issued : end];
      return id;
    }

    /** A page through a server, whose connection may lead to the primary or to one that was it before. */
    function* read(index: number): Generator<readonly [string, World]> {
      for (const [number, history] of histories.entries()) {
        const { seen } = at(world.servers, index);
        if (rules.refusesToGoBack && number < seen) continue;
        yield step(`${'ABC'[index]} reads history ${number}`, (copy) => {
          const server = at(copy.servers, index);
          const ids = idsOf(history);
          const missing = server.shown.find((id) => !ids.includes(id) && id !== copy.removed?.id);
          if (missing !== undefined)
            throw new Violation(`a server went back: it does not show ${missing} any more`);
          server.seen = Math.max(seen, number);
          server.shown = union(server.shown, ids);
          server.got = union(
            server.got,
            ids.filter((id) => id > server.cursor),
          );
          server.cursor = Math.max(server.cursor, ...ids);
          server.done += 1;
        });
      }
    }

    /** An operator removes the newest pet. */
    function* remove(): Generator<readonly [string, World]> {
      const newest = histories[primary]?.pets.at(-1);
      if (newest === undefined) return;
      yield step('operator removes', (copy, database) => {
        copy.removed = newest;
        database.pets.pop();
        const { records } = database;
        for (const [key, id] of Object.entries(records)) {
          if (rules.removalFreesKey && id === newest.id) delete records[key];
        }
      });
    }
  }

  /** The server does not know whether its message was carried out. */
  function loseConnection(world: World, index: number): void {
    const append = world.appends.find((each) => each.server === index);
    if (append === undefined) return;
    const server = at(world.servers, index);
    // The database notices sooner or later: until then the work goes on.
    append.server = -1;
    if (append.at === 'committed') world.appends.splice(world.appends.indexOf(append), 1);
    if (append.key === undefined && rules.repeatsOnlyKeyed) server.done += 1;
  }

  /** Another server takes over with all that is visible. What is under way is undone there. */
  function failOver(world: World, database: History): void {
    world.faults -= 1;
    world.histories.push(structuredClone(database));
    world.lock = '';
    for (const index of world.servers.keys()) loseConnection(world, index);
    world.appends.length = 0;
  }

  function check({ histories, servers, acknowledged, removed }: World, name: string): void {
    const { pets } = last(histories);
    if (new Set(pets.map(({ of }) => of)).size < pets.length)
      throw new Violation(`${name}: a pet was added twice`);
    if (pets.some(({ id }) => id === removed?.id)) throw new Violation(`${name}: an id was used again`);
    for (const [of, id] of Object.entries(acknowledged)) {
      if (id !== removed?.id && !pets.some((pet) => pet.id === id && pet.of === of))
        throw new Violation(`${name}: ${of} was acknowledged and is lost`);
    }
    for (const { cursor, got } of servers) {
      const skipped = pets.find(({ id }) => id <= cursor && !got.includes(id));
      if (skipped) throw new Violation(`${name}: a reader that is at ${cursor} never sees ${skipped.id}`);
    }
  }

  return {
    start: {
      histories: [{ pets: [], records: {}, issued: 0 }],
      appends: [],
      lock: '',
      servers: tasks.map(newServer),
      acknowledged: {},
      removed: undefined,
      faults: scenario.faults ?? 0,
    },
    next,
  };
}
