import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callersIn } from '../../../../test/callers.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { eventsPath } from '../../../../test/realtime/streams.ts'
import { addressOf, makeOwn, makeWorld } from '../../../../test/world.ts'
import { documentTopics, ephemeralTopics, operations } from '../../../app.ts'
import { isLive } from '../../../infra/realtime/durable/topics.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const live = operations.filter(isLive)

interface Pattern {
  readonly pattern: string
  readonly kind: string
  readonly operation: string
}

test('whoever asks is told what can be followed, by whom, and what it tells', async () => {
  const reply = await api.get('/realtime/topics')
  expect(reply.status).toBe(200)
  const topics: Pattern[] = reply.body.topics
  const ofKind = (wanted: string) => topics.filter(({ kind }) => kind === wanted)
  expect(
    ofKind('read')
      .map(({ operation }) => operation)
      .sort(),
  ).toEqual(live.map(({ name }) => name).sort())
  expect(topics.map(({ pattern }) => pattern)).toEqual(topics.map(({ pattern }) => pattern).toSorted())
  const find = (pattern: string) => topics.find((each) => each.pattern === pattern)
  expect(find('/tournaments/{tournament}/matches')).toEqual({
    pattern: '/tournaments/{tournament}/matches',
    kind: 'read',
    operation: 'matches.list',
    summary: expect.stringMatching(/^Matches of a tournament/),
    query: expect.arrayContaining([{ name: 'status', description: 'Comma list of statuses.' }]),
    scope: 'public',
    who: 'anyone',
    delayed: true,
    audiences: ['public', 'staff+pools', 'staff'],
    facts: expect.arrayContaining(['match.started', 'match.completed']),
  })
  expect(find('/users/@me/notifications')).toMatchObject({
    scope: 'ws:read',
    who: 'signed-in users',
    audiences: ['own'],
    query: [],
  })
  expect(find('/tournaments/{tournament}/divisions')).toMatchObject({ audiences: ['public'] })
  expect(find('/tournaments/{tournament}/corrections')).toMatchObject({ scope: 'ws:read', audiences: ['staff'] })
  // One kind of staff sees what others do not. The public is not among the audiences.
  expect(find('/tournaments/{tournament}/audit')).toMatchObject({
    audiences: ['organisers+referees+pools', 'organisers-or-staff', 'staff+referees', 'staff+pools', 'staff'],
  })
  // Topics without a read are listed too, and marked. (D83)
  const patternsOf = (kinds: readonly { readonly path: string }[]) =>
    kinds.map(({ path: each }) => each.replace(/:(\w+)/g, '{$1}')).toSorted()
  expect(ofKind('ephemeral').map(({ pattern }) => pattern)).toEqual(patternsOf(ephemeralTopics))
  expect(ofKind('document').map(({ pattern }) => pattern)).toEqual(patternsOf(documentTopics))
  expect(find('/tournaments/{tournament}/matches/{match}/live')).toMatchObject({
    kind: 'ephemeral',
    operation: 'matches.read',
    scope: 'public',
    delayed: true,
    query: [],
    facts: [],
  })
  expect((await api.get('/realtime/topics', await api.user())).text).toBe(reply.text)
})

/** Who may use each operation, by the committed permission matrix. */
function readMatrix(): Map<string, readonly string[]> {
  const file = path.join(import.meta.dirname, '../../../../docs/generated/permissions.md')
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const [head = [], ...others] = rows
  return new Map(
    others.map((cells) => [cells[1] as string, head.filter((_kind, column) => column > 2 && cells[column] === '✓')]),
  )
}

test('each kind of caller may follow what the permission matrix lets them read', async () => {
  const matrix = readMatrix()
  const world = await makeWorld(api, { registered: true })
  const callers = Object.entries(await callersIn(api, world))
  for (const operation of live) {
    const followed = await Promise.all(
      callers.map(async ([kind, caller]) => {
        const own = caller === null ? {} : await makeOwn(api, caller)
        const topic = addressOf(operation, world, own)
        const reply = await api.get(eventsPath([topic], { wait: '0' }), caller)
        if (reply.status === 200) expect(JSON.parse(reply.text), topic).toMatchObject({ type: 'snapshot' })
        else expect(reply.headers.get('problem-code'), topic).toMatch(/^(topic\.unknown|token\.missing)$/)
        return reply.status === 200 ? [kind] : []
      }),
    )
    expect(followed.flat(), operation.name).toEqual(matrix.get(operation.name))
  }
})
