import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allAnnounced, listen, told } from '../../../../test/announcements.ts'
import { type BracketBody, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type FakeChatWebhooks, type FakeWebhook, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { chatWebhookConfig } from '../../../../test/updates.ts'

/** Announcements of matches. */

let chat: FakeChatWebhooks
let api: Harness
beforeAll(async () => {
  chat = await startFakeChatWebhooks()
  api = await startHarness({ chat: chatWebhookConfig(chat) })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await chat.close()
})

async function makeCup(
  kinds: Readonly<Record<string, string>>,
  options: Partial<Parameters<typeof makeBracket>[1]> = {},
): Promise<{ made: MadeBracket; webhook: FakeWebhook }> {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination', ...options })
  return { made, webhook: await listen(api, chat, made.cup, kinds) }
}

const start = (made: MadeBracket, number: number) => api.post(`${made.match(number)}/start`, made.organiser)
const requestOf = (index: number) => JSON.parse(chat.requests.at(index)?.body ?? '{}')

describe('a call', () => {
  test('is told with its message and its roles', async () => {
    const { made, webhook } = await makeCup({ match_called: 'main' })
    await api.patch(made.path, made.organiser, { announcementRoles: { match_called: ['42', '43'] } })
    await api.post(`${made.match(1)}/call`, made.organiser, { message: 'Come to *stage* 2, @everyone <@1>.' })
    expect(await told(api, made.cup, webhook)).toEqual([
      [
        '<@&42> <@&43> **A match is called.** Please get ready to play:',
        '**Team 1** – **Team 4** · Playoffs · semi-finals · best of 3',
        '> Come to \\*stage\\* 2, @\u200beveryone \\<@\u200b1\\>.',
      ].join('\n'),
    ])
    expect(requestOf(-1).allowed_mentions).toEqual({ parse: [], roles: ['42', '43'] })
  })

  test('is told each time, and once if it came several times at once', async () => {
    const { made, webhook } = await makeCup({ match_called: 'main' })
    const call = (message: string) => api.post(`${made.match(1)}/call`, made.organiser, { message })
    await call('First.')
    await told(api, made.cup, webhook)
    await Promise.all([1, 2, 3].map(() => call('Again.')))
    const messages = await told(api, made.cup, webhook)
    expect(messages.map((text) => text.split('> ').length)).toEqual([2, 2])
    expect(messages[1]).toContain('> Again.')
  })
})

describe('a match', () => {
  test('that begins and ends is told, with its maps and the next matches', async () => {
    const { made, webhook } = await makeCup({ match_started: 'main', match_finished: 'main' })
    await made.win(2, 'team-2')
    await told(api, made.cup, webhook)
    await api.patch(made.match(1), made.organiser, { streamUrl: 'https://stream.example.org/main' })
    await start(made, 1)
    await told(api, made.cup, webhook)
    const map = (name: string) => ({
      hash: '1234567890ABCDEF',
      difficulty: 'ExpertPlus',
      characteristic: 'Standard',
      name,
    })
    const game = (number: number, scores: number[], name: string) =>
      api.put(`${made.match(1)}/games/${number}`, made.organiser, {
        sides: scores.map((score) => ({ score })),
        map: map(name),
      })
    await game(1, [912_345, 900_120], 'Ov *Sacrament*')
    await game(2, [850_000, 860_000], 'Second Map')
    await game(3, [700_001, 700_000], 'Third Map')
    const messages = await told(api, made.cup, webhook)
    expect(messages).toEqual([
      '**Result:**\n**Team 2** 2 : 0 Team 3 · Playoffs · semi-finals\nNext: Team 2 (final)',
      '**A match has begun:**\n**Team 1** – **Team 4** · Playoffs · semi-finals · best of 3 · on <https://stream.example.org/main>',
      [
        '**Result:**',
        '**Team 1** 2 : 1 Team 4 · Playoffs · semi-finals',
        'Ov \\*Sacrament\\*: 912,345 : 900,120 · Second Map: 850,000 : 860,000 · Third Map: 700,001 : 700,000',
        'Next: Team 1 against Team 2 (final)',
      ].join('\n'),
    ])
  })

  test('that is corrected changes what was said, and is not told again', async () => {
    const { made, webhook } = await makeCup({ match_finished: 'main' })
    await made.win(1, 'team-1')
    await told(api, made.cup, webhook)
    const [before] = webhook.messages
    const revise = async (body: object) => {
      const { revision } = await made.read()
      const reply = await made.tell(1, { ...body, reason: 'Mistyped.', revision })
      expect(reply.status).toBe(200)
      return told(api, made.cup, webhook)
    }
    expect(await revise({ outcome: 'score', scores: [1, 2] })).toEqual([
      '**Result:**\nTeam 1 1 : 2 **Team 4** · Playoffs · semi-finals\nNext: Team 4 (final)',
    ])
    expect(webhook.messages.map(({ id }) => id)).toEqual([before?.id])
    expect(webhook.made).toHaveLength(1)
    const { revision } = await made.read()
    await api.post(`${made.match(1)}/reopen`, made.organiser, { reason: 'Protest.', revision })
    expect(await told(api, made.cup, webhook)).toEqual([
      '**Result:**\nTeam 1 – Team 4 · Playoffs · semi-finals · **the result was taken back**',
    ])
    await made.tell(1, { outcome: 'walkover', winner: 1 })
    expect(await told(api, made.cup, webhook)).toEqual([
      '**Result:**\n**Team 1** – Team 4 · Playoffs · semi-finals · decided without play\nNext: Team 1 (final)',
    ])
    expect(webhook.made).toHaveLength(1)
  })

  test('of a team whose name is a mention, a link or markup is told as it is called', async () => {
    const { made, webhook } = await makeCup({ match_started: 'main' })
    await api.sql('update teams set name = $1 where guid = $2', ['@everyone **x** <@&42>', made.teams[0]?.guid])
    await api.sql('update teams set name = $1 where guid = $2', ['[a](https://evil.example) `y`', made.teams[3]?.guid])
    await start(made, 1)
    const [text] = await told(api, made.cup, webhook)
    expect(text?.split('\n')[1]?.split(' · ')[0]).toBe(
      '**@\u200beveryone \\*\\*x\\*\\* \\<@\u200b&42\\>** – **\\[a\\](https:\u200b//evil.example) \\`y\\`**',
    )
    expect(requestOf(-1).allowed_mentions).toEqual({ parse: [] })
  })
})

test('64 matches that begin at once are one message in each channel', async () => {
  const { made, webhook } = await makeCup({ match_started: 'main' }, { teams: 128 })
  await api.sql(`update teams set name = name || ' ' || repeat('long name ', 7) where tournament_guid = $1`, [
    made.cup.guid,
  ])
  const other = chat.addWebhook()
  await api.patch(made.path, made.organiser, {
    chatWebhooks: [{ label: 'casters', url: other.url }],
    announcements: { match_started: 'main', match_finished: 'casters' },
  })
  await Promise.all(Array.from({ length: 64 }, (_, index) => start(made, index + 1)))
  const [text = '', ...more] = await told(api, made.cup, webhook)
  expect(more).toEqual([])
  expect(text.length).toBeLessThanOrEqual(2_000)
  const lines = text.split('\n')
  expect(lines[0]).toBe('**64 matches have begun:**')
  expect(lines.at(-1)).toBe(`… and ${64 - (lines.length - 2)} more.`)
  await Promise.all(
    Array.from({ length: 64 }, (_, index) => made.tell(index + 1, { outcome: 'score', scores: [2, 0] })),
  )
  const results = await told(api, made.cup, other)
  expect(results.map((each) => each.split('\n')[0])).toEqual(['**64 results:**'])
  expect(webhook.messages).toHaveLength(1)
})

test('a round is told once all of its matches can be played', async () => {
  const { made, webhook } = await makeCup({ round_ready: 'main' }, { teams: 8 })
  for (const number of [1, 2, 3]) await made.tell(number, { outcome: 'score', scores: [2, 0] })
  expect(await told(api, made.cup, webhook)).toEqual([])
  await made.tell(4, { outcome: 'score', scores: [2, 0] })
  await made.tell(4, { outcome: 'score', scores: [2, 0] })
  expect(await told(api, made.cup, webhook)).toEqual([
    '**Playoffs · semi-finals:** all 2 matches can be played.\n- **Team 1** – **Team 4**\n- **Team 2** – **Team 3**',
  ])
  await made.tell(5, { outcome: 'score', scores: [2, 0] })
  await made.tell(6, { outcome: 'score', scores: [2, 0] })
  expect((await told(api, made.cup, webhook)).at(-1)).toBe(
    '**Playoffs · final:** the match can be played.\n**Team 1** – **Team 2**',
  )
})

test('times that change within five minutes are one message', async () => {
  const { made, webhook } = await makeCup({ schedule_changed: 'main' })
  const at = (hour: number) => new Date(Date.UTC(2027, 4, 1, hour)).toISOString()
  const stamp = (hour: number) => `<t:${Date.UTC(2027, 4, 1, hour) / 1_000}:f>`
  const move = (number: number, scheduledAt: string | null) =>
    api.patch(made.match(number), made.organiser, { scheduledAt })
  await move(1, at(18))
  await move(2, at(19))
  await move(2, at(20))
  expect((await told(api, made.cup, webhook)).at(-1)).toBe(
    [
      '**2 matches have new times:**',
      `- ${stamp(18)}: **Team 1** – **Team 4** · Playoffs · semi-finals`,
      `- ${stamp(20)}: **Team 2** – **Team 3** · Playoffs · semi-finals`,
    ].join('\n'),
  )
  await move(1, at(17))
  await move(2, null)
  await move(2, at(20))
  expect((await told(api, made.cup, webhook)).slice(1)).toEqual([
    `**A match has a new time:**\n${stamp(17)} (was ${stamp(18)}): **Team 1** – **Team 4** · Playoffs · semi-finals`,
  ])
  const due = await api.sql<{ ms: number }>(
    `select extract(epoch from due_at - happened_at)::int as ms from announcement_matters where tournament_guid = $1`,
    [made.cup.guid],
  )
  expect(due).not.toContainEqual({ ms: 0 })
})

describe('while the stream is behind', () => {
  test('nothing is told that it does not show yet', async () => {
    const { made, webhook } = await makeCup({ match_started: 'main', match_finished: 'main' })
    await api.patch(made.path, made.organiser, { streamDelaySeconds: 1800 })
    await start(made, 1)
    await made.win(2, 'team-2')
    const { revision } = await made.read()
    await made.tell(2, { outcome: 'score', scores: [0, 2], reason: 'Swapped.', revision })
    expect(await told(api, made.cup, webhook)).toEqual([])
    const waits = await api.sql<BracketBody>(
      `select kind, extract(epoch from due_at - happened_at)::int as seconds, changed_at is not null as again
       from announcement_matters where tournament_guid = $1 order by kind`,
      [made.cup.guid],
    )
    expect(waits).toEqual([
      { kind: 'match_finished', seconds: 1800, again: true },
      { kind: 'match_started', seconds: 1800, again: false },
    ])
    // Even if they are looked at too early.
    await api.sql('update announcement_matters set due_at = now() where tournament_guid = $1', [made.cup.guid])
    expect(await told(api, made.cup, webhook)).toEqual([])
    // A shorter delay shows all that happened before.
    await api.patch(made.path, made.organiser, { streamDelaySeconds: 0 })
    expect((await told(api, made.cup, webhook)).toSorted()).toEqual([
      '**A match has begun:**\n**Team 1** – **Team 4** · Playoffs · semi-finals · best of 3',
      '**Result:**\nTeam 2 0 : 2 **Team 3** · Playoffs · semi-finals\nNext: Team 3 (final)',
    ])
  })

  test('a result that is corrected meanwhile is told as the stream shows it, and changed with it', async () => {
    const { made, webhook } = await makeCup({ match_finished: 'main' })
    await api.patch(made.path, made.organiser, { streamDelaySeconds: 8 })
    await made.win(2, 'team-2')
    const { revision } = await made.read()
    await setTimeout(6_000)
    await made.tell(2, { outcome: 'score', scores: [0, 2], reason: 'Swapped.', revision })
    await expect.poll(() => webhook.messages.length, { timeout: 30_000, interval: 20 }).toBe(1)
    expect(webhook.made[0]?.content).toContain('**Team 2** 2 : 0 Team 3')
    await expect
      .poll(() => webhook.messages[0]?.content, { timeout: 30_000, interval: 20 })
      .toContain('Team 2 0 : 2 **Team 3**')
    await allAnnounced(api, made.cup)
    expect(webhook.made).toHaveLength(1)
  })
})
