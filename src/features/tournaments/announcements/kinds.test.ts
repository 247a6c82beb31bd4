import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen, told } from '../../../../test/announcements.ts'
import { addBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type FakeChatWebhooks, type FakeWebhook, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTeam, makeTournament, type TournamentOptions } from '../../../../test/make.ts'
import { makeMaps, makePool } from '../../../../test/pools.ts'
import { makeAssignment, makeStreamKey, makeStreamServer, validate } from '../../../../test/streaming.ts'
import { chatWebhookConfig } from '../../../../test/updates.ts'

/** Announcements apart from matches, and where there are none. */

let chat: FakeChatWebhooks
let api: Harness
let organiser: Caller
beforeAll(async () => {
  chat = await startFakeChatWebhooks()
  api = await startHarness({ chat: chatWebhookConfig(chat) })
  organiser = await api.user()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const hour = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
const stamp = (instant: string, style = 'f') => `<t:${Math.floor(Date.parse(instant) / 1_000)}:${style}>`

async function makeCup(
  kinds: Readonly<Record<string, string>>,
  options: TournamentOptions = {},
): Promise<{ cup: MadeTournament; path: string; webhook: FakeWebhook }> {
  const cup = await makeTournament(api, organiser, { status: 'approved', ...options })
  await api.sql(`update tournaments set name = 'Spring *Cup*' where guid = $1`, [cup.guid])
  return { cup, path: `/tournaments/${cup.id}`, webhook: await listen(api, chat, cup, kinds) }
}

describe('the registration', () => {
  test('is told when it opens, and 24 hours before it closes', async () => {
    const { cup, path, webhook } = await makeCup({ registration_opened: 'main', registration_closing: 'main' })
    const [opens, closes, later] = [new Date(Date.now() + 1_500).toISOString(), inHours(40), inHours(20)]
    await api.patch(path, organiser, { registrationOpensAt: opens, registrationClosesAt: closes, capacity: 8 })
    const due = () =>
      api.sql<{ kind: string; at: Date }>(
        `select kind, due_at as at from announcement_matters where tournament_guid = $1 and due_at is not null
         order by kind`,
        [cup.guid],
      )
    await expect.poll(async () => (await due()).at(-1)?.at).toEqual(new Date(opens))
    expect((await due())[0]).toEqual({ kind: 'registration_closing', at: new Date(Date.parse(closes) - 24 * hour) })
    await expect.poll(() => webhook.messages.length, { timeout: 30_000 }).toBe(1)
    // A new end has a new message, corrects the earlier one, and what does not concern the registration tells nothing.
    await api.patch(path, organiser, { registrationClosesAt: later })
    await api.patch(path, organiser, { summary: 'News.' })
    await expect.poll(() => webhook.messages.length, { timeout: 30_000 }).toBe(2)
    await api.patch(path, organiser, { summary: 'More news.' })
    expect(await told(api, cup, webhook)).toEqual([
      `**Registration for Spring \\*Cup\\* is open** until ${stamp(later)}.`,
      `**Registration for Spring \\*Cup\\* closes ${stamp(later, 'R')}:** ${stamp(later)}.\n8 places are left.`,
    ])
  })

  test('that is not public is not told', async () => {
    const { cup, path, webhook } = await makeCup({ registration_opened: 'main', registration_closing: 'main' })
    await api.patch(path, organiser, { publicRegistration: false, registrationClosesAt: inHours(10) })
    expect(await told(api, cup, webhook)).toEqual([])
  })
})

test('teams that register within a minute are one message', async () => {
  const { cup, path, webhook } = await makeCup({ team_registered: 'main' })
  await api.sql('update tournaments set capacity = 8 where guid = $1', [cup.guid])
  const captains = await Promise.all([1, 2, 3].map(() => api.user()))
  const teams = await Promise.all(
    captains.map((captain, index) => makeTeam(api, cup, captain, { id: `t-${index}`, name: `Team _${index}_` })),
  )
  for (const { guid } of teams) expect((await api.post(`${path}/register/${guid}`, organiser)).status).toBe(200)
  await api.post(`${path}/unregister/${teams[1]?.guid}`, organiser)
  expect(await told(api, cup, webhook)).toEqual([
    '**2 teams have registered:**\n- **Team \\_0\\_**\n- **Team \\_2\\_**\n2 of 8 places taken.',
  ])
})

test('a bracket that is made is told, with its first round', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const webhook = await listen(api, chat, made.cup, { bracket_published: 'main', round_ready: 'main' })
  await addBracket(api, made, { format: 'round_robin', division: 'main' })
  expect((await told(api, made.cup, webhook)).toSorted()).toEqual([
    '**Playoffs · group A · round 1:** all 2 matches can be played.\n- **Team 1** – **Team 4**\n- **Team 2** – **Team 3**',
    '**The bracket is out:**\n**Playoffs** (4 teams, 6 matches)',
  ])
})

test('the placements are told at the end, and corrected', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const webhook = await listen(api, chat, made.cup, { placements: 'main' })
  await made.win(1, 'team-1')
  await made.win(2, 'team-2')
  await made.win(3, 'team-1')
  await api.sql(`update tournaments set name = 'Spring Cup' where guid = $1`, [made.cup.guid])
  const completed = await api.post(`${made.path}/status`, made.organiser, { status: 'completed' })
  expect(completed.status).toBe(200)
  expect(await told(api, made.cup, webhook)).toEqual([
    '**Spring Cup is over.** The placements:\n1\u200b. **Team 1**\n2\u200b. Team 2\n3\u200b. Team 3, Team 4',
  ])
  const { revision } = await made.read()
  await made.tell(3, { outcome: 'score', scores: [0, 2], reason: 'Swapped.', revision })
  expect((await told(api, made.cup, webhook))[0]).toContain('\n1\u200b. **Team 2**\n2\u200b. Team 1\n')
  expect(webhook.made).toHaveLength(1)
})

test('a pool that is published is told', async () => {
  const { cup, path, webhook } = await makeCup({ pool_published: 'main' })
  const maps = (await makeMaps(api, 3)).map(({ guid }) => guid)
  const pool = await makePool(api, cup.guid, { name: 'Quarter_finals', maps })
  expect((await api.post(`${path}/pools/${pool.guid}/publish`, organiser, { force: true })).status).toBe(200)
  expect(await told(api, cup, webhook)).toEqual(['**A map pool is published:**\n**Quarter\\_finals** (3 maps)'])
})

test('a stream that begins is told, with where to watch it', async () => {
  const { cup, webhook } = await makeCup({ stream_live: 'main' }, { status: 'ongoing' })
  await api.sql(
    `update tournaments set links = links || '{"stream": "https://stream.example.org/cup"}' where guid = $1`,
    [cup.guid],
  )
  const [server, caster] = [await makeStreamServer(api), await api.user({ name: 'caster_1' })]
  const [{ key }] = await Promise.all([
    makeStreamKey(api, caster),
    makeAssignment(api, cup, caster, { role: 'caster' }),
  ])
  expect((await validate(api, server, { action: 'publish', key, clientId: '1' })).status).toBe(200)
  expect(await told(api, cup, webhook)).toEqual([
    '**Live now:**\ncaster\\_1 (commentary)\nWatch: <https://stream.example.org/cup>',
  ])
})

describe('nothing is told', () => {
  test('of what is off, nor to a channel without a webhook', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    const webhook = await listen(api, chat, made.cup, { match_started: 'main', match_finished: 'main' })
    await api.patch(made.path, made.organiser, { announcements: { match_started: 'off' } })
    await api.post(`${made.match(1)}/start`, made.organiser)
    await api.patch(made.path, made.organiser, { chatWebhookUrl: null })
    await made.win(2, 'team-2')
    expect(await told(api, made.cup, webhook)).toEqual([])
    expect(await api.sql('select from announcement_matters where tournament_guid = $1', [made.cup.guid])).toEqual([])
  })

  test('of a draft, nor of a draft that was cancelled', async () => {
    for (const status of ['draft', 'cancelled'] as const) {
      const made = await makeBracket(api, { teams: 4, format: 'single_elimination', tournament: { status: 'draft' } })
      const webhook = await listen(api, chat, made.cup)
      await made.win(1, 'team-1')
      await api.post(`${made.match(2)}/call`, made.organiser, {})
      if (status === 'cancelled') await api.post(`${made.path}/status`, made.organiser, { status })
      expect(await told(api, made.cup, webhook)).toEqual([])
    }
  })

  test('of what happened while a tournament was a draft, once it is public', async () => {
    const made = await makeBracket(api, { teams: 4, format: 'single_elimination', tournament: { status: 'draft' } })
    const webhook = await listen(api, chat, made.cup, { match_finished: 'main', bracket_published: 'main' })
    await made.win(1, 'team-1')
    await told(api, made.cup, webhook)
    await api.sql(`update tournaments set status = 'ongoing', approved_at = now() where guid = $1`, [made.cup.guid])
    expect(await told(api, made.cup, webhook)).toEqual([])
  })
})

test('the language of the tournament decides the words', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'double_elimination' })
  const webhook = await listen(api, chat, made.cup, { match_finished: 'main' })
  await api.patch(made.path, made.organiser, { language: 'de-AT' })
  await made.win(1, 'team-1')
  expect(await told(api, made.cup, webhook)).toEqual([
    '**Ergebnis:**\n**Team 1** 2 : 0 Team 4 · Playoffs · Upper-Halbfinale\nWeiter: Team 1 (Upper-Finale); Team 4 (Lower-Runde 1)',
  ])
})
