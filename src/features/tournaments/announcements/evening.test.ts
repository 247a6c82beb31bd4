import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, told } from '../../../../test/announcements.ts'
import { type BracketBody, makeBracket } from '../../../../test/bracket-play.ts'
import { type FakeChatWebhooks, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { chatWebhookConfig } from '../../../../test/updates.ts'

/** An evening with eight teams, as somebody reads it in the chat. */

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

const maps = ['Overture', 'Second Wind', 'Last Dance']
const teams = ['Quavers', 'Crotchets', 'Minims', 'Breves', 'Semiquavers', 'Rests', 'Fermatas', 'Codas']

test('an evening', async () => {
  const made = await makeBracket(api, {
    teams: 8,
    format: 'double_elimination',
    settings: { thirdPlace: false },
  })
  await api.sql(`update tournaments set name = 'Spring Cup' where guid = $1`, [made.cup.guid])
  for (const [index, name] of teams.entries()) {
    await api.sql('update teams set name = $1 where guid = $2', [name, made.teams[index]?.guid])
  }
  const webhook = await listen(api, chat, made.cup)
  await api.patch(made.path, made.organiser, { announcementRoles: { match_called: ['1184720934812345678'] } })
  const seedOf = (name: string) => teams.indexOf(name)
  const play = async (number: number) => {
    const { sides } = await made.readMatch(number)
    const better = seedOf(sides[0].team.name) < seedOf(sides[1].team.name) ? 0 : 1
    for (const index of [0, 1]) {
      const scores = better === 0 ? [912_345 - index, 900_120] : [900_120, 912_345 - index]
      const map = { hash: '1234567890ABCDEF', difficulty: 'ExpertPlus', characteristic: 'Standard', name: maps[index] }
      await api.put(`${made.match(number)}/games/${index + 1}`, made.organiser, {
        sides: scores.map((score) => ({ score })),
        map,
      })
    }
  }
  const ready = async () =>
    (await made.read()).matches
      .filter(({ status }: BracketBody) => status === 'ready')
      .map(({ number }: BracketBody) => number) as number[]
  for (let numbers = await ready(); numbers.length > 0; numbers = await ready()) {
    if (numbers.length <= 2) await api.post(`${made.match(numbers[0] as number)}/call`, made.organiser, {})
    await told(api, made.cup, webhook)
    await Promise.all(numbers.map((number) => api.post(`${made.match(number)}/start`, made.organiser)))
    await told(api, made.cup, webhook)
    await Promise.all(numbers.map(play))
    await told(api, made.cup, webhook)
  }
  await api.post(`${made.path}/status`, made.organiser, { status: 'completed' })
  const messages = await told(api, made.cup, webhook)
  const evening = messages.join('\n\n')
  for (const message of messages) expect(message.length).toBeLessThanOrEqual(2_000)
  // Each match has one message, and nothing is said that is not there.
  expect(evening.match(/ \d : \d /g)).toHaveLength(14)
  expect(evening).not.toMatch(/undefined|null|NaN|\{|\}/)
  expect(messages.at(-1)).toMatch(
    /^\*\*Spring Cup is over\.\*\* The placements:\n1\u200b\. \*\*Quavers\*\*\n2\u200b\. Crotchets\n/,
  )
  if (process.env.SHOW_EVENING) process.stdout.write(`${evening}\n`)
})
