import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeMedia } from '../../../../test/media-rows.ts'

/** Grants by the rows of a CSV file. (B8) */

let api: Harness
let manager: Caller
let users: Caller[]
let medal: string
let pin: string

beforeAll(async () => {
  api = await startHarness()
  manager = await api.user({ globalRoles: ['global:badges:manage'] })
  users = await Promise.all(Array.from({ length: 6 }, () => api.user()))
  ;[medal, pin] = [await badge('Medal, "golden"'), await badge('Pin')]
})
afterAll(() => api[Symbol.asyncDispose]())

async function badge(name: string): Promise<string> {
  const { guid: mediaGuid } = await makeMedia(api, 'badge_image', { owner: manager })
  const made = await api.post('/badges', manager, { name, description: '', kind: 'special', mediaGuid })
  expect(outcome(made)).toEqual([201, null])
  return made.body.guid
}

const send = (raw: string | Uint8Array, query = '', as = manager) =>
  api.call('POST', `/badges/import/csv${query}`, { as, raw, headers: { 'content-type': 'text/csv' } })
const user = (index: number) => users[index] as Caller
// biome-ignore lint/suspicious/noExplicitAny: parts of answers.
type Part = any
const grants = () => api.sql<Part>('select * from badge_grants order by guid')
const reasons = ({ body }: Part) => body.errors.map(({ row, reason }: Part) => [row, reason])

describe('a file', () => {
  test('grants what its rows say, by whatever identifiers, and says so beforehand', async () => {
    const text = [
      'user,badge,label,place,awardedAt,remark',
      `${user(0).guid},${pin},1st place,1,2026-01-02T03:04:05Z,x`,
      `${user(1).chatPlatformId},"Medal, ""golden""","two\nlines, really",,,`,
      '',
      `${user(0).guid.toUpperCase()},Pin,again,,,`,
    ].join('\r\n')
    const dry = await send(text, '?dryRun=true')
    expect(outcome(dry)).toEqual([200, null])
    expect(await grants()).toEqual([])
    const { body } = await send(`\uFEFF${text}`)
    expect(body).toEqual({
      granted: [
        {
          row: 1,
          guid: expect.any(String),
          badge: { guid: pin, name: 'Pin' },
          userGuid: user(0).guid,
          label: '1st place',
          place: 1,
          awardedAt: '2026-01-02T03:04:05.000Z',
        },
        {
          row: 2,
          guid: expect.any(String),
          badge: { guid: medal, name: 'Medal, "golden"' },
          userGuid: user(1).guid,
          label: 'two lines, really',
          place: null,
          awardedAt: expect.any(String),
        },
      ],
      alreadyHeld: [user(0).guid],
      errors: [],
    })
    const without = (one: Part) => one.body.granted.map(({ guid: _guid, awardedAt: _at, ...rest }: Part) => rest)
    expect(without(dry)).toEqual(without({ body }))
    expect(dry.body.granted.map(({ guid }: Part) => guid)).toEqual([null, null])
    const rows = await grants()
    expect(rows.map(({ source, granted_by }) => [source, granted_by])).toEqual(rows.map(() => ['import', manager.guid]))
    const again = await send(text)
    expect(again.body).toMatchObject({ granted: [], errors: [] })
    expect(new Set(again.body.alreadyHeld)).toEqual(new Set([user(0).guid, user(1).guid]))
    expect(await grants()).toEqual(rows)
    const [counted] = await api.sql<Part>('select holders from badges where guid = $1', [pin])
    expect(counted.holders).toBe(1)
    const events = await api.sql<Part>(
      `select actor, after from event_log where type = 'badge_import.finished' order by seq`,
    )
    expect(events[0]).toEqual({
      actor: manager.guid,
      after: { source: 'csv', dryRun: false, made: 0, granted: 2, failed: 0 },
    })
    expect(events).toHaveLength(2)
  })

  test('is taken as a whole, or as far as it can be where its sender says so', async () => {
    await badge('Twin')
    await badge('Twin')
    const retired = await badge('Retired')
    expect((await api.patch(`/badges/${retired}`, manager, { retired: true })).status).toBe(200)
    const gone = await api.user()
    expect((await api.delete('/users/@me', gone)).status).toBe(204)
    const text = [
      'badge;user;place;awardedAt;label',
      `Pin;${user(2).guid};;;`,
      `Pin;${gone.guid};;;`,
      `pin;${user(3).guid};;;`,
      `Twin;${user(3).guid};;;`,
      `Retired;${user(3).guid};;;`,
      `Pin;;;;`,
      `;${user(3).guid};;;`,
      `Pin;${user(3).guid};1000;;`,
      `Pin;${user(3).guid};1.5;;`,
      `Pin;${user(3).guid};;2026-01-02;`,
      `Pin;${user(3).guid};;2999-01-02T00:00:00Z;`,
      `Pin;${user(3).guid};;2019-01-02T00:00:00Z;`,
      `Pin;${user(3).guid};;;${'x'.repeat(61)}`,
      `Pin;${user(3).guid};;`,
      `Pin;${user(3).guid};;;;`,
      `${crypto.randomUUID()};${user(3).guid};;;`,
      `Pin;${user(4).guid};7;;ok`,
    ].join('\n')
    const before = await grants()
    const whole = await send(text)
    expect(outcome(whole)).toEqual([400, 'badge_import.rows_invalid'])
    expect(whole.body.errors.map(({ row }: Part) => row)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
    expect(outcome(await send(text, '?dryRun=true'))).toEqual([400, 'badge_import.rows_invalid'])
    expect(await grants()).toEqual(before)
    const part = await send(text, '?partial=true')
    expect(outcome(part)).toEqual([200, null])
    expect(part.body.granted.map(({ row, userGuid }: Part) => [row, userGuid])).toEqual([
      [1, user(2).guid],
      [17, user(4).guid],
    ])
    expect(reasons(part)).toEqual(reasons(whole))
    const reasonsByRow = new Map<number, string>(reasons(part))
    expect(reasonsByRow.get(2)).toMatch(/no such user/)
    expect(reasonsByRow.get(3)).toMatch(/no such badge/)
    expect(reasonsByRow.get(4)).toMatch(/Several badges/)
    expect(reasonsByRow.get(5)).toMatch(/retired/)
    expect(reasonsByRow.get(8)).toMatch(/place/)
    expect(reasonsByRow.get(13)).toMatch(/60 characters/)
    expect(reasonsByRow.get(14)).toMatch(/4 cells.*5/)
    expect(await grants()).toHaveLength(before.length + 2)
  })

  test('cannot hurt by its cells', async () => {
    const text = [
      'user,badge,label,place,awardedAt,__proto__,constructor',
      `${user(5).guid},Pin,"=HYPERLINK(""http://evil.example"")",,,a,b`,
      `${user(5).guid},Pin,"a\u0000b",,,a,b`,
      `${user(5).guid},Pin,"a\u202Eb",,,a,b`,
      `__proto__,Pin,,,,a,b`,
      `${user(5).guid},constructor,,,,a,b`,
      `' or 1=1 --,Pin,,,,a,b`,
      `${user(5).guid},Pin,,0x10,,a,b`,
      `${user(5).guid},Pin,,1e2,,a,b`,
      `${user(5).guid},Pin,,-1,,a,b`,
      `${user(5).guid},Pin,,00000000000000000001,,a,b`,
    ].join('\n')
    const reply = await send(text, '?partial=true')
    expect(outcome(reply)).toEqual([200, null])
    expect(reply.body.granted.map(({ row, label }: Part) => [row, label])).toEqual([
      [1, '=HYPERLINK("http://evil.example")'],
    ])
    expect(reply.body.errors.map(({ row }: Part) => row)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(reply.text).not.toContain('\u202E')
  })

  test.each([
    ['nothing', '', 'badge_import.unreadable'],
    ['no column for users', 'badge,label\na,b', 'badge_import.unreadable'],
    ['no column for badges', 'user\na', 'badge_import.unreadable'],
    ['a column twice', 'user,badge,User\na,b,c', 'badge_import.unreadable'],
    ['an open quote', 'user,badge\na,"b', 'badge_import.unreadable'],
    ['a quote in the middle', 'user,badge\na,b"c"', 'badge_import.unreadable'],
    ['a cell without end', `user,badge\na,${'b'.repeat(10_000)}`, 'badge_import.unreadable'],
    ['bytes that are no UTF-8', Uint8Array.from([0x75, 0xff, 0xfe]), 'badge_import.unreadable'],
    ['UTF-16', Buffer.from('\uFEFFuser,badge\n', 'utf16le'), 'badge_import.unreadable'],
    ['5001 rows', `user,badge\n${'a,b\n'.repeat(5_001)}`, 'badge_import.too_large'],
  ] as const)('is refused as a whole with %s', async (_what, content, code) => {
    expect(outcome(await send(content, '?partial=true'))).toEqual([400, code])
  })

  test('may have 5000 rows and a mebibyte, and is for managers', async () => {
    const many = await send(`user,badge\n${'nobody,Pin\n'.repeat(5_000)}`, '?partial=true')
    expect([many.status, many.body.errors?.length]).toEqual([200, 5_000])
    const header = 'user,badge\n'
    const mebibyte = header + '\n'.repeat(1024 * 1024 - header.length)
    expect(outcome(await send(mebibyte))).toEqual([400, 'badge_import.too_large'])
    expect((await send(`${mebibyte}\n`)).status).toBe(413)
    expect(outcome(await send('user,badge', '', user(0)))).toEqual([403, 'role.missing'])
    expect((await send('user,badge')).body).toEqual({ granted: [], alreadyHeld: [], errors: [] })
  })

  test('is sent as text, and is described so', async () => {
    const raw = 'user,badge\n'
    const sent = async (type: string) =>
      outcome(await api.call('POST', '/badges/import/csv', { as: manager, raw, headers: { 'content-type': type } }))
    for (const type of [
      'text/csv',
      'text/plain',
      'TEXT/CSV; charset=utf-8; header=present',
      'text/plain;charset=UTF-8',
    ])
      expect([type, await sent(type)]).toEqual([type, [200, null]])
    for (const type of [
      'application/json',
      'application/octet-stream',
      'text/html',
      'text/*',
      'text/csvx',
      'multipart/form-data; boundary=x',
      ' ',
    ])
      expect([type, await sent(type)]).toEqual([type, [415, 'request.unsupported_type']])
    const { paths, components } = (await api.get('/openapi.json')).body
    const { content } = paths['/badges/import/csv'].post.requestBody
    const schema = { $ref: '#/components/schemas/BadgesImportRows' }
    expect(content).toEqual({ 'text/csv': { schema }, 'text/plain': { schema } })
    const examples = [expect.stringMatching(/^user,badge/)]
    expect(components.schemas.BadgesImportRows).toMatchObject({ type: 'string', examples })
  })

  test('at once on two processes, each grant is made once', async () => {
    await using sibling = await api.sibling()
    const rush = await badge('Rush')
    const crowd = await Promise.all(Array.from({ length: 20 }, () => api.user()))
    const raw = `user,badge\n${crowd.map(({ guid }) => `${guid},Rush\n`).join('')}`
    const options = { as: manager, raw, headers: { 'content-type': 'text/csv' } }
    const replies = await Promise.all(
      [api, sibling, api, sibling].map((service) => service.call('POST', '/badges/import/csv', options)),
    )
    expect(replies.map(outcome)).toEqual(replies.map(() => [200, null]))
    const all = replies.flatMap(({ body }) => body.granted.map(({ userGuid }: Part) => userGuid))
    expect(all.sort()).toEqual(crowd.map(({ guid }) => guid).sort())
    for (const { body } of replies) expect(body.granted.length + body.alreadyHeld.length).toBe(20)
    const [{ holders }] = (await api.sql<Part>('select holders from badges where guid = $1', [rush])) as [Part]
    expect(holders).toBe(20)
  })
})
