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
  type Version,
  type World,
} from './world.ts';

/** The protocol of any number of servers on one PostgreSQL, and what can happen to them. */
export function protocol(rules: Rules, scenario: Scenario): Model<World> {
  const { tasks } = scenario;
  const versionOf = (history: History, number: number): Version => [
    history.revision,
    rules.versionHasHighest ? highestOf(history) : undefined,
    rules.versionHasHistory ? number : undefined,
  ];

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
          const snapshot = { highest: highestOf(database), ids: idsOf(database) };
          copy.appends.push({
            server: index,
            of: task.create,
            key: task.key,
            at: 'arrived',
            snapshot,
            id: 0,
            adds: true,
          });
        });
      } else if (append.at === 'committed') {
        yield step(`${name} acknowledges ${task.create}`, (copy, database) => {
          const id = append.adds ? append.id : (database.records[append.key ?? ''] ?? 0);
          const before = copy.acknowledged[task.key ?? task.create];
          if (before !== undefined && before !== id && !copy.isRestored)
            throw new Violation(`${task.key} was ${before} and is ${id}`);
          copy.acknowledged[task.key ?? task.create] = id;
          copy.appends = copy.appends.filter((each) => each.server !== index);
          const { shown, seen } = at(copy.servers, index);
          Object.assign(at(copy.servers, index), {
            done: server.done + 1,
            seen: Math.max(seen, primary),
            shown: union(shown, [id]),
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

    if (world.faults > 0 && primary === 0) {
      yield step('failover', (copy, database) => failOver(copy, database));
      if (scenario.restores) {
        yield step('restore', (copy, database) => {
          failOver(copy, { ...database, pets: database.pets.slice(0, -1), records: {}, issued: 0 });
          copy.isRestored = true;
        });
      }
    }
    if (toAcknowledge) return;
    for (const [index, append] of world.appends.entries()) yield* work(index, append);
    if (scenario.loads) yield* load();
    if (scenario.changes) yield* change();

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
      const isAwaited = world.appends.some(
        (other) => other.at === 'written' && key !== undefined && other.key === key,
      );
      if (stage === 'locked' && !isAwaited) {
        yield turn('writes', (append, copy, database) => {
          const server = copy.servers[append.server];
          append.id = takeId(database, rules.looksUnderLock ? highestOf(database) : snapshot.highest, server);
          const known = key === undefined ? undefined : database.records[key];
          append.adds = known === undefined || (!rules.keysAreUnique && !snapshot.ids.includes(known));
          append.at = 'written';
          if (!rules.holdsLockToCommit) copy.lock = '';
        });
      }
      if (stage === 'written') {
        yield turn('commits', (append, copy, database) => {
          if (copy.lock === of) copy.lock = '';
          // A unique violation: the server tries again.
          if (append.adds && idsOf(database).includes(append.id)) copy.appends.splice(index, 1);
          else {
            if (append.adds) database.pets.push({ id: append.id, of: key ?? of });
            if (append.adds && key !== undefined && rules.recordsWithPet) database.records[key] = append.id;
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

    function takeId(database: History, highest: number, server: Server | undefined): number {
      if (rules.idsFollowHighest || server === undefined) {
        database.issued = Math.max(database.issued, highest) + 1;
        return database.issued;
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
        const { seen, cached, rows } = at(world.servers, index);
        if (rules.refusesToGoBack && number < seen) continue;
        const version = versionOf(history, number);
        const page = JSON.stringify(history.pets);
        yield step(`${'ABC'[index]} reads history ${number}`, (copy) => {
          const server = at(copy.servers, index);
          server.seen = Math.max(seen, number);
          const isHit = cached !== undefined && JSON.stringify(cached.version) === JSON.stringify(version);
          if (isHit && rows === undefined && cached.page !== page)
            throw new Violation('a cached page is not what the database holds');
          if (!isHit && !rules.versionWithRows && rows === undefined) server.rows = page;
          else {
            if (!isHit || rows !== undefined) server.cached = { version, page: rows ?? page };
            server.rows = undefined;
            respond(server, JSON.parse(rows ?? page), copy.isRestored);
            server.done += 1;
          }
        });
      }
    }

    function respond(server: Server, page: History['pets'], isRestored: boolean): void {
      const ids = page.map(({ id }) => id);
      const missing = server.shown.find((id) => !ids.includes(id));
      if (missing !== undefined && !isRestored)
        throw new Violation(`a server went back: it does not show ${missing} any more`);
      server.shown = union(server.shown, ids);
      server.got = union(
        server.got,
        ids.filter((id) => id > server.cursor),
      );
      server.cursor = Math.max(server.cursor, ...ids);
    }

    /** Another program adds a row with a high id. */
    function* load(): Generator<readonly [string, World]> {
      if (world.loader === 'idle') {
        yield step('loader inserts', (copy, database) => {
          Object.assign(copy, { loader: 'inserted', loaded: highestOf(database) + 2 });
        });
      } else if (world.loader === 'inserted' && (world.lock === '' || !rules.loadsTakeTurns)) {
        yield step('loader commits', (copy, database) => {
          copy.loader = 'done';
          if (idsOf(database).includes(world.loaded)) return;
          database.pets.push({ id: world.loaded, of: 'loader' });
          if (rules.changesMoveRevision) database.revision += 1;
        });
      }
    }

    /** An operator marks the first pet as sold. */
    function* change(): Generator<readonly [string, World]> {
      if (world.operator === 'idle' && histories[primary]?.pets.length) {
        yield step('operator changes', (copy, database) => {
          copy.operator = 'changed';
          if (!rules.revisionIsTransactional) database.revision += 1;
        });
      } else if (world.operator === 'changed') {
        yield step('operator commits', (copy, database) => {
          copy.operator = 'done';
          const [pet] = database.pets;
          if (pet) pet.isSold = true;
          if (rules.changesMoveRevision && rules.revisionIsTransactional) database.revision += 1;
        });
      }
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
    const { appends } = world;
    for (const index of world.servers.keys()) loseConnection(world, index);
    appends.length = 0;
    if (world.loader === 'inserted') world.loader = 'done';
    if (world.operator === 'changed') world.operator = 'done';
  }

  function check({ histories, servers, acknowledged, isRestored }: World, name: string): void {
    if (isRestored) return;
    const { pets } = last(histories);
    const added = pets.filter(({ of }) => of !== 'loader');
    if (new Set(added.map(({ of }) => of)).size < added.length)
      throw new Violation(`${name}: a pet was added twice`);
    for (const [of, id] of Object.entries(acknowledged)) {
      if (!pets.some((pet) => pet.id === id && pet.of === of))
        throw new Violation(`${name}: ${of} was acknowledged and is lost`);
    }
    for (const { cursor, got } of servers) {
      const skipped = added.find(({ id }) => id <= cursor && !got.includes(id));
      if (skipped) throw new Violation(`${name}: a reader that is at ${cursor} never sees ${skipped.id}`);
    }
  }

  return {
    start: {
      histories: [{ pets: [], records: {}, revision: 0, issued: 0 }],
      appends: [],
      lock: '',
      servers: tasks.map(newServer),
      acknowledged: {},
      loader: 'idle',
      operator: 'idle',
      loaded: 0,
      faults: scenario.faults ?? 0,
      isRestored: false,
    },
    next,
  };
}
