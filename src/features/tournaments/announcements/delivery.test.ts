import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allAnnounced, allSaid, listen, told } from '../../../../test/announcements.ts'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { type FakeChatWebhooks, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole } from '../../../../test/make.ts'
import { announce, chatWebhookConfig, hasten, lostAtGateway, misbehaveAt } from '../../../../test/updates.ts'
import { announcementKinds } from '../tournaments/types.ts'

/** How announcements come to the chat: once, in order, whatever fails; and what they would be. */

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

const make = (teams = 4) => makeBracket(api, { teams, format: 'single_elimination' })

test('several processes at once say each thing once', async () => {
  await using sibling = await api.sibling()
  const made = await make(32)
  const webhook = await listen(api, chat, made.cup, { match_started: 'main', match_finished: 'main' })
  for (let round = 0; round < 4; round++) {
    const numbers = [1, 2, 3, 4].map((number) => round * 4 + number)
    await Promise.all(
      numbers.map((number, index) =>
        (index % 2 === 0 ? api : sibling).put(`${made.match(number)}/result`, made.organiser, {
          outcome: 'score',
          scores: [2, 0],
        }),
      ),
    )
    await allAnnounced(api, made.cup)
  }
  const lines = (await told(api, made.cup, webhook)).join('\n').match(/\*\*Team \d+\*\* 2 : 0/g) ?? []
  expect(lines.length).toBe(16)
  expect(new Set(lines).size).toBe(16)
})

describe('a message', () => {
  test('comes after those before it, even if they fail at first', async () => {
    const made = await make(8)
    const webhook = await listen(api, chat, made.cup, { match_started: 'main' })
    const start = (number: number) => api.post(`${made.match(number)}/start`, made.organiser)
    // The first requests are refused for a while; the others wait for them.
    misbehaveAt(chat, 1, { status: 429, headers: { 'retry-after': '2' }, body: { retry_after: 2, global: false } })
    await start(1)
    await allSaid(api, made.cup)
    await announce(api, { tournament: made.cup, organiser: made.organiser, webhook }, { content: 'News.' })
    await start(2)
    await told(api, made.cup, webhook)
    const texts = webhook.made.map(({ content }) => content)
    const positions = ['Team 1', 'News.', 'Team 4'].map((part) => texts.findIndex((text) => text.includes(part)))
    expect(positions).toEqual([0, 1, 2])
  })

  test('whose answer is lost is sent again, and known to be uncertain', async () => {
    const made = await make()
    const webhook = await listen(api, chat, made.cup, { match_started: 'main' })
    misbehaveAt(chat, 1, lostAtGateway)
    await api.post(`${made.match(1)}/start`, made.organiser)
    await expect
      .poll(
        async () => {
          await api.sql(
            'update announcement_matters set due_at = now() where due_at > now() and tournament_guid = $1',
            [made.cup.guid],
          )
          await hasten(api)
          return api.sql('select status from chat_deliveries where tournament_guid = $1', [made.cup.guid])
        },
        { timeout: 30_000 },
      )
      .toEqual([{ status: 'delivered' }])
    expect(new Set(webhook.made.map(({ content }) => content)).size).toBe(1)
    expect(webhook.made).toHaveLength(2)
    expect(
      await api.sql(
        'select uncertain_since is not null as lost from chat_parts p join chat_deliveries d on d.guid = p.delivery_guid where d.tournament_guid = $1',
        [made.cup.guid],
      ),
    ).toEqual([{ lost: true }])
  })

  test('to a webhook that is gone fails, and the next one is sent through the new webhook', async () => {
    const made = await make()
    const webhook = await listen(api, chat, made.cup, { match_started: 'main' })
    webhook.delete()
    await api.post(`${made.match(1)}/start`, made.organiser)
    await allAnnounced(api, made.cup)
    expect(await api.sql('select status from chat_deliveries where tournament_guid = $1', [made.cup.guid])).toEqual([
      { status: 'failed' },
    ])
    const other = chat.addWebhook()
    await api.patch(made.path, made.organiser, { chatWebhookUrl: other.url })
    await api.post(`${made.match(2)}/start`, made.organiser)
    expect(await told(api, made.cup, other)).toHaveLength(1)
  })

  test('of an old announcement is forgotten, and stays in the chat', async () => {
    const made = await make()
    const webhook = await listen(api, chat, made.cup, { match_started: 'main' })
    await api.post(`${made.match(1)}/start`, made.organiser)
    await told(api, made.cup, webhook)
    await api.sql(`update announcements set created_at = now() - interval '31 days' where tournament_guid = $1`, [
      made.cup.guid,
    ])
    await api.sql(`select graphile_worker.add_job('announcements.sweep')`)
    await expect
      .poll(() => api.sql('select from announcement_matters where tournament_guid = $1', [made.cup.guid]))
      .toEqual([])
    expect(await api.sql('select from chat_deliveries where tournament_guid = $1', [made.cup.guid])).toEqual([])
    expect(webhook.messages).toHaveLength(1)
  })
})

describe('the preview', () => {
  test('writes every kind as it would be sent, and sends nothing', async () => {
    const made = await make()
    const webhook = await listen(api, chat, made.cup, { match_called: 'main', match_finished: 'casters' })
    await api.patch(made.path, made.organiser, { announcementRoles: { match_called: ['42'] } })
    const before = chat.requests.length
    const { status, body } = await api.post(`${made.path}/announcements/test`, made.organiser, {})
    expect(status).toBe(200)
    expect(body.announcements.map(({ kind }: { kind: string }) => kind)).toEqual(announcementKinds)
    expect(body.announcements[0]).toEqual({
      kind: 'match_called',
      channel: 'main',
      content:
        '<@&42> **A match is called.** Please get ready to play:\n**Team 1** – **Team 4** · Playoffs · semi-finals · best of 3',
      mentionedRoles: ['42'],
      delivery: null,
    })
    // Its channel has no webhook.
    expect(body.announcements[2]).toEqual({
      kind: 'match_finished',
      channel: null,
      content: '**Result:**\n**Team 1** 2 : 1 Team 4 · Playoffs · semi-finals',
      mentionedRoles: [],
      delivery: null,
    })
    expect([chat.requests.length, webhook.messages]).toEqual([before, []])
    expect(await api.sql('select from announcements where tournament_guid = $1', [made.cup.guid])).toEqual([])
  })

  test('is sent on request: marked as a test, to the channel of each kind that has one, mentioning no one', async () => {
    const made = await make()
    const webhook = await listen(api, chat, made.cup, { match_called: 'main', match_finished: 'casters' })
    await api.patch(made.path, made.organiser, { announcementRoles: { match_called: ['42'] } })
    const { body } = await api.post(`${made.path}/announcements/test`, made.organiser, { send: true })
    const sent = body.announcements.filter(({ delivery }: { delivery: string | null }) => delivery !== null)
    expect(sent).toMatchObject([{ kind: 'match_called', channel: 'main' }])
    await allAnnounced(api, made.cup)
    expect(webhook.messages.map(({ content }) => content)).toEqual([
      '(test) **A match is called.** Please get ready to play:\n**Team 1** – **Team 4** · Playoffs · semi-finals · best of 3',
    ])
  })

  test('of a tournament that has nothing yet uses placeholders', async () => {
    const organiser = await api.user()
    await api
      .post('/tournaments', organiser, { name: 'Empty', id: `empty-${Date.now()}`, language: 'de' })
      .then(async ({ body }) => {
        const kinds = ['match_started', 'placements', 'match_started']
        const reply = await api.post(`/tournaments/${body.id}/announcements/test`, organiser, { kinds })
        expect(reply.body.announcements.map(({ content }: { content: string }) => content)).toEqual([
          '**Ein Match hat begonnen:**\n**Team 1** – **Team 2** · Playoffs · Halbfinale · Best of 3',
          '**Empty ist zu Ende.** Die Platzierungen:\n1\u200b. **Team 1**\n2\u200b. Team 2',
        ])
      })
  })

  test('is for organisers and admins', async () => {
    const made = await make()
    const path = `${made.path}/announcements/test`
    const [admin, staff] = await Promise.all([api.user(), api.user()])
    await grantRole(api, made.cup, admin, 'role:admin')
    await grantRole(api, made.cup, staff, 'role:staff')
    expect((await api.post(path, admin, {})).status).toBe(200)
    expect(outcome(await api.post(path, staff, {}))).toEqual([403, 'role.missing'])
    expect(outcome(await api.post(path, null, {}))).toEqual([401, 'token.missing'])
    expect(outcome(await api.post(path, made.organiser, { kinds: ['gossip'] }))).toEqual([400, 'request.invalid'])
  })
})
