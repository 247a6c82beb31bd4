import { expect, test } from 'vitest'
import { startHarness, startOn } from '../harness.ts'
import { openWayToDatabase } from '../way.ts'
import { comeBack, doors, followFacts, makeChanging, pass } from './coming-back.ts'

/** After the database was restored from a backup, positions from before are invalid. (RT34) */

test('a database that was restored from a copy knows none of the positions that came after it', async () => {
  await using first = await startHarness()
  const by = await first.user()
  const cup = await makeChanging(first, by)
  await using socket = await followFacts(cup, first)
  const kept = await pass(cup, socket)
  const copied = await first.sql<{ seq: number; last: number }>(
    'select max(seq)::int as seq, (select last_value::int from event_log_seq) as last from event_log',
  )
  const lost = await pass(cup, socket, 3)
  const [{ seq, last } = { seq: 0, last: 0 }] = copied
  await first.sql(
    `with gone as (delete from event_log where seq > $1), moved as (select setval('event_log_seq', $2))
     update tournaments set summary = $4 from moved where guid = $3`,
    [seq, last, cup.guid, 'As it was.'],
  )
  // A follower reconnects, and is told that its position is invalid.
  expect((await socket.closed).code).toBe(4001)
  const [restored] = await comeBack('socket', first, cup.topic, { since: lost.position, facts: true })
  expect(restored).toMatchObject({ body: { summary: 'As it was.' }, resync: { reason: 'unknown' } })
  // The same numbers again, for other events.
  await cup.change(5)
  await using second = await first.sibling()
  for (const process of [first, second]) {
    for (const door of doors) {
      const [answer] = await comeBack(door, process, cup.topic, { since: lost.position, facts: true })
      expect(answer).toMatchObject({ type: 'snapshot', resync: { reason: 'unknown' } })
      const [known] = await comeBack(door, process, cup.topic, { since: kept.position, facts: true })
      expect(known.facts).toHaveLength(5)
    }
  }
})

test('one that was restored and has gone on since is told from the one before by what it holds', async () => {
  await using api = await startHarness()
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  const way = await openWayToDatabase(new URL(databaseUrl ?? '').pathname.slice(1))
  await using _ = { [Symbol.asyncDispose]: () => way.close() }
  await using far = await startOn({ databaseUrl: way.url, dataDir, publicUrl })
  const cup = await makeChanging(api, await api.user())
  await using socket = await followFacts(cup, far)
  const { position } = await pass(cup, socket)
  await way.cut()
  // More has happened than was lost, so the numbers alone cannot reveal it.
  await api.sql(`do $$ declare copied bigint; begin
    select max(seq) into copied from event_log;
    delete from event_log where seq = copied;
    perform setval('event_log_seq', copied - 1);
    for number in 1..3 loop perform emit_event('test.arranged', null, null, null, null, null, '{}'); end loop;
  end $$`)
  await way.restore()
  expect((await socket.closed).code).toBe(4001)
  const ask = () => comeBack('socket', far, cup.topic, { since: position, facts: true }).catch(() => [])
  await expect.poll(ask, { interval: 100 }).toMatchObject([{ type: 'snapshot', resync: { reason: 'unknown' } }])
})
