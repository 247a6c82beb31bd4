import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caughtUp } from '../../../../test/event-log.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { grantRole, makeTeam, makeTournament } from '../../../../test/make.ts'
import { messagesOf } from '../../../../test/notifications.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { until } from '../../../../test/waiting.ts'
import { fieldsFollower } from '../teams/followers.ts'

/** Additional fields: which are required, what is saved, and who sees the answers. */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const field = (label: string, more: object) => ({
  guid: randomUUID(),
  label,
  help: null,
  type: 'text',
  required: false,
  options: [],
  subject: 'team',
  private: false,
  ...more,
})
const motto = field('Motto', { required: true })
const seats = field('Seats', { type: 'number' })
const region = field('Region', { type: 'select', options: ['Europe', 'Asia'] })
const favourite = field('Favourite', { type: 'map' })
const agrees = field('Agrees', { type: 'boolean' })
const shirt = field('Shirt', { type: 'select', options: ['S', 'M'], subject: 'player', required: true })
const phone = field('Phone', { private: true })
const additionalFields = [motto, seats, region, favourite, agrees, shirt, phone]

async function arrange(options: Parameters<typeof makeTournament>[2] = { additionalFields }) {
  const [captain, member] = await Promise.all([api.user({ name: 'Quaver' }), api.user({ name: 'Minim' })])
  const cup = await makeTournament(api, organiser, options)
  const team = await makeTeam(api, cup, captain, { members: [member] })
  const act = (verb: string, as: Caller, answers?: unknown) =>
    api.post(
      `/tournaments/${cup.guid}/${verb}/${team.guid}`,
      as,
      answers === undefined ? undefined : { additionalFields: answers },
    )
  const answersSeenBy = async (as: Caller | null) =>
    (await api.get(`/tournaments/${cup.guid}/teams/${team.guid}`, as)).body.additionalFields
  return { cup, team, captain, member, act, answersSeenBy }
}

const map = { hash: 'ab'.repeat(20), difficulty: 'Expert', characteristic: 'Standard' }
const enough = (captain: Caller, member: Caller) => [
  { fieldGuid: motto.guid, response: 'Allegro' },
  { fieldGuid: shirt.guid, userGuid: captain.guid, response: 'S' },
  { fieldGuid: shirt.guid, userGuid: member.guid, response: 'M' },
]

test('required fields must be answered, the team’s once and the players’ for each', async () => {
  const { act, captain, member } = await arrange()
  const none = await act('register', captain)
  expect(outcome(none)).toEqual([400, 'registration.refused'])
  expect(none.body.eligibility).toMatchObject({
    requiredFields: [motto.guid, shirt.guid],
    team: { failures: [{ code: 'field.unanswered', message: 'Answer “Motto”.' }] },
    players: [
      { userGuid: captain.guid, failures: [{ code: 'field.unanswered', message: 'Answer “Shirt” for Quaver.' }] },
      { userGuid: member.guid, failures: [{ code: 'field.unanswered', message: 'Answer “Shirt” for Minim.' }] },
    ],
  })
  const some = await act('register', captain, enough(captain, member).slice(0, 2))
  expect(some.body.eligibility.requiredFields).toEqual([shirt.guid])
  expect((await act('register', captain, enough(captain, member))).status).toBe(200)
})

test('answers of every type are stored and told as they were given', async () => {
  const { act, captain, member } = await arrange()
  const all = [
    ...enough(captain, member),
    { fieldGuid: seats.guid, response: 2.5 },
    { fieldGuid: region.guid, response: 'Asia' },
    { fieldGuid: favourite.guid, response: map },
    { fieldGuid: agrees.guid, response: 'false' },
  ]
  const reply = await act('register', captain, all)
  expect(reply.status).toBe(200)
  const told = new Map(
    reply.body.newTeam.additionalFields.map(
      (answer: { fieldGuid: string; userGuid: string | null; response: unknown }) => [
        `${answer.fieldGuid}:${answer.userGuid}`,
        answer.response,
      ],
    ),
  )
  expect(told).toEqual(
    new Map<string, unknown>([
      [`${motto.guid}:null`, 'Allegro'],
      [`${shirt.guid}:${captain.guid}`, 'S'],
      [`${shirt.guid}:${member.guid}`, 'M'],
      [`${seats.guid}:null`, 2.5],
      [`${region.guid}:null`, 'Asia'],
      [`${favourite.guid}:null`, map],
      [`${agrees.guid}:null`, 'false'],
    ]),
  )
})

test('a text that reads like another value stays a text', async () => {
  const texts = ['true', '12', 'null', '"', '{"a":1}', '[]', '\\', '𝄞', "'; --"]
  const asked = texts.map((text) => field(text, {}))
  const answers = asked.map(({ guid, label }) => ({ fieldGuid: guid, userGuid: null, response: label }))
  const { act, captain } = await arrange({ additionalFields: asked })
  expect((await act('register', captain, answers)).body.newTeam.additionalFields).toEqual(answers)
  await act('unregister', captain)
  expect((await act('register', captain)).body.newTeam.additionalFields).toEqual(answers)
})

test('answers stay for the next registration; new ones replace them one by one, and an empty text takes one back', async () => {
  const { act, captain, member, answersSeenBy } = await arrange()
  await act('register', captain, [...enough(captain, member), { fieldGuid: seats.guid, response: 4 }])
  await act('unregister', captain)
  const again = await act('register', captain, [
    { fieldGuid: shirt.guid, userGuid: member.guid, response: 'S' },
    { fieldGuid: seats.guid, response: '' },
  ])
  expect(again.status).toBe(200)
  expect(await answersSeenBy(captain)).toEqual(
    expect.arrayContaining([
      { fieldGuid: motto.guid, userGuid: null, response: 'Allegro' },
      { fieldGuid: shirt.guid, userGuid: captain.guid, response: 'S' },
      { fieldGuid: shirt.guid, userGuid: member.guid, response: 'S' },
    ]),
  )
  expect(await answersSeenBy(captain)).toHaveLength(3)
  await act('unregister', captain)
  const without = await act('register', captain, [{ fieldGuid: motto.guid, response: '' }])
  expect(without.body.eligibility.requiredFields).toEqual([motto.guid])
})

test('a refused registration stores no answer', async () => {
  const { act, captain, member, answersSeenBy } = await arrange()
  const refused = await act('register', captain, [...enough(captain, member), { fieldGuid: seats.guid, response: 'x' }])
  expect(outcome(refused)).toEqual([400, 'registration.refused'])
  expect(await answersSeenBy(organiser)).toEqual([])
})

test('answers to private fields are seen by staff and those whom they are about, and by nobody in the log', async () => {
  const { cup, act, captain, member, answersSeenBy } = await arrange()
  const referee = await api.user()
  await grantRole(api, cup, referee, 'role:referee')
  const secret = { fieldGuid: phone.guid, userGuid: null, response: '+1 555 0100' }
  const reply = await act('register', captain, [...enough(captain, member), secret])
  expect(reply.body.newTeam.additionalFields).toContainEqual(secret)
  for (const caller of [referee, organiser, captain, member]) expect(await answersSeenBy(caller)).toContainEqual(secret)
  for (const caller of [await api.user(), null]) {
    expect(await answersSeenBy(caller)).not.toContainEqual(secret)
  }
  const log = await api.sql('select before, after from event_log where tournament = $1', [cup.guid])
  expect(JSON.stringify(log)).not.toContain('555 0100')
})

describe('an answer that was given privately', () => {
  const number = field('Number', {})
  const secret = { fieldGuid: number.guid, userGuid: null, response: '+1 555 0100' }
  const shown = { ...number, private: false }
  const hidden = { ...number, private: true }

  async function arrangeAnswered(asked: object) {
    const arranged = await arrange({ additionalFields: [asked] })
    const { cup, act, captain } = arranged
    const ask = async (...additionalFields: object[]) =>
      expect((await api.patch(`/tournaments/${cup.guid}`, organiser, { additionalFields })).status).toBe(200)
    expect((await act('register', captain, [secret])).status).toBe(200)
    return { ...arranged, ask }
  }

  const inDays = async (guid: string, days: number) => {
    await caughtUp(api, fieldsFollower)
    await api.sql(
      `update field_answers set public_at = public_at - $2 * interval '1 day' where team_guid = $1 and public_at is not null`,
      [guid, days],
    )
  }

  test('stays private where its field is made public, until its team was told and seven days have passed', async () => {
    const { cup, team, captain, member, ask, answersSeenBy } = await arrangeAnswered(hidden)
    const seen = async () => [await answersSeenBy(organiser), await answersSeenBy(captain), await answersSeenBy(null)]
    await ask(shown)
    expect(await seen()).toEqual([[secret], [secret], []])
    // If the field is removed and sent again, the period starts again, and teams that were notified before are notified
    // again.
    await inDays(team.guid, 6)
    await ask()
    await caughtUp(api, fieldsFollower)
    await ask(shown)
    await inDays(team.guid, 6.9)
    expect(await seen()).toEqual([[secret], [secret], []])
    expect((await api.get(`/tournaments/${cup.guid}/teams`, null)).text).not.toContain('555 0100')
    expect((await api.get(`/tournaments/${cup.guid}/teams.csv`, organiser)).text).toContain('555 0100')
    for (const user of [captain, member]) {
      const told = (await messagesOf(api, user)).filter(({ type }) => type === 'team.answers_announced')
      expect(told).toHaveLength(2)
      expect(told[0]?.body).toContain('“Number”')
      expect(JSON.stringify(told)).not.toContain('555 0100')
    }
    await inDays(team.guid, 0.2)
    await expect.poll(() => answersSeenBy(null), { timeout: 20_000, interval: 50 }).toEqual([secret])
    const log = await api.sql('select type, before, after from event_log where tournament = $1', [cup.guid])
    expect(log.map(({ type }) => type)).toContain('team.answers_published')
    expect(JSON.stringify(log)).not.toContain('555 0100')
  })

  test('that is changed or taken back meanwhile, or whose field is private again, is not made public', async () => {
    const { team, captain, act, ask, answersSeenBy } = await arrangeAnswered(hidden)
    await ask(shown)
    await caughtUp(api, fieldsFollower)
    await act('unregister', captain)
    expect((await act('register', captain, [{ ...secret, response: '' }])).status).toBe(200)
    expect(await api.sql('select from field_answers where team_guid = $1', [team.guid])).toEqual([])
    await ask(hidden)
    await act('unregister', captain)
    await act('register', captain, [secret])
    await ask(shown)
    await inDays(team.guid, 6)
    await ask(hidden)
    await caughtUp(api, fieldsFollower)
    expect(await api.sql('select public_at from field_answers where team_guid = $1', [team.guid])).toEqual([
      { public_at: null },
    ])
    await ask(shown)
    await act('unregister', captain)
    // An answer that is given again to a public field is public immediately.
    await act('register', captain, [secret])
    expect(await answersSeenBy(null)).toEqual([secret])
  })

  test('is told of for seven days, however late the team is told', async () => {
    const { team, ask } = await arrangeAnswered(hidden)
    await caughtUp(api, fieldsFollower)
    await whileHeld(api, [`select from followers where name = 'teams' for update`], async () => {
      await ask(shown)
      await api.sql(`update event_log set at = at - interval '8 days' where type = 'tournament.updated'`)
    })
    await caughtUp(api, fieldsFollower)
    const [row] = await api.sql<{ late: boolean }>(
      `select public_at > now() + interval '6 days 23 hours' as late from field_answers where team_guid = $1`,
      [team.guid],
    )
    expect(row).toEqual({ late: true })
  })

  test('is told of those who follow the team to its members alone', async () => {
    const { cup, team, captain, act, ask } = await arrangeAnswered(hidden)
    const topic = `/tournaments/${cup.guid}/teams/${team.guid}`
    await using socket = await openSocket(api)
    await using own = await openSocket(api, { as: captain })
    for (const each of [socket, own]) await each.ask({ type: 'subscribe', topic })
    const sentTo = (of: typeof socket) => JSON.stringify(of.copies.all.get(topic)?.body)
    const told = () => sentTo(socket)
    expect(sentTo(own)).toContain('555 0100')
    await ask(shown)
    await act('unregister', captain)
    await until(() => told().includes('unregistered'))
    expect(told()).not.toContain('555 0100')
    await until(() => sentTo(own).includes('unregistered'))
    expect(sentTo(own)).toContain('555 0100')
    await act('register', captain, [secret])
    await until(() => told().includes('555 0100'))
  })

  test('was public where its field was, and is shown again when that is made public again', async () => {
    const { ask, answersSeenBy } = await arrangeAnswered(shown)
    expect(await answersSeenBy(null)).toEqual([secret])
    await ask(hidden)
    expect(await answersSeenBy(null)).toEqual([])
    await ask(shown)
    expect(await answersSeenBy(null)).toEqual([secret])
  })

  test('is private from before this was noted where its field is private now, or left out', async () => {
    const { cup, team } = await arrangeAnswered(shown)
    const left = randomUUID()
    const phone = { ...hidden, guid: randomUUID() }
    await api.sql('update tournaments set additional_fields = $2 where guid = $1', [
      cup.guid,
      JSON.stringify([shown, phone]),
    ])
    for (const guid of [phone.guid, left]) {
      await api.sql(`insert into field_answers (team_guid, field_guid, response) values ($1, $2, '"x"')`, [
        team.guid,
        guid,
      ])
    }
    const migration = path.join(import.meta.dirname, '../../../../migrations/0038_private_answers.sql')
    await api.sql(readFileSync(migration, 'utf8').split('--> statement-breakpoint')[1] ?? '')
    const rows = await api.sql('select field_guid, is_private from field_answers where team_guid = $1', [team.guid])
    expect(new Map(rows.map(({ field_guid, is_private }) => [field_guid, is_private]))).toEqual(
      new Map([
        [number.guid, false],
        [phone.guid, true],
        [left, true],
      ]),
    )
  })
})

test('fields bind managers of the tournament too, and global managers only to the form of what they give', async () => {
  const { act } = await arrange()
  const global = await api.user({ globalRoles: ['global:tournaments:manage'] })
  expect(outcome(await act('register', organiser))).toEqual([400, 'registration.refused'])
  const malformed = await act('register', global, [{ fieldGuid: seats.guid, response: 'x' }])
  expect(outcome(malformed)).toEqual([400, 'registration.refused'])
  expect(malformed.body.eligibility.team.failures).toEqual([
    { code: 'field.wrong_type', message: '“Seats” takes a number.' },
  ])
  expect((await act('register', global)).status).toBe(200)
})

describe('an answer that cannot be read', () => {
  const player = '3b9e1c94-52aa-4a0e-9c65-3d5b0f3f8a11'
  const rows: [string, unknown, string, string][] = [
    ['no list', 'x', 'request.invalid', ''],
    ['a null', [null], 'request.invalid', ''],
    ['no field', [{ response: 'x' }], 'request.invalid', ''],
    ['no response', [{ fieldGuid: motto.guid }], 'request.invalid', ''],
    ['a null response', [{ fieldGuid: motto.guid, response: null }], 'request.invalid', ''],
    ['a boolean', [{ fieldGuid: agrees.guid, response: true }], 'request.invalid', ''],
    ['a list of texts', [{ fieldGuid: motto.guid, response: ['x'] }], 'request.invalid', ''],
    [
      'a map without hash',
      [{ fieldGuid: favourite.guid, response: { difficulty: 'a', characteristic: 'b' } }],
      'request.invalid',
      '',
    ],
    [
      'more answers than can be',
      Array.from({ length: 1_001 }, () => ({ fieldGuid: motto.guid, response: 'x' })),
      'request.invalid',
      '',
    ],
    ['an unknown field', [{ fieldGuid: player, response: 'x' }], 'registration.refused', 'field.unknown'],
    ['no GUID', [{ fieldGuid: "'; drop table teams", response: 'x' }], 'registration.refused', 'field.unknown'],
    [
      'somebody who is not in the team',
      [{ fieldGuid: shirt.guid, userGuid: player, response: 'S' }],
      'registration.refused',
      'field.not_a_member',
    ],
    [
      'a name for a member',
      [{ fieldGuid: shirt.guid, userGuid: 'Quaver', response: 'S' }],
      'registration.refused',
      'field.not_a_member',
    ],
    [
      'a player’s field without a player',
      [{ fieldGuid: shirt.guid, response: 'S' }],
      'registration.refused',
      'field.wrong_subject',
    ],
    [
      'a text that is too long',
      [{ fieldGuid: motto.guid, response: 'x'.repeat(1_001) }],
      'registration.refused',
      'field.too_long',
    ],
    [
      'an option that is not offered',
      [{ fieldGuid: region.guid, response: 'Atlantis' }],
      'registration.refused',
      'field.option_unknown',
    ],
    [
      'two answers',
      [
        { fieldGuid: motto.guid, response: 'x' },
        { fieldGuid: motto.guid, response: 'y' },
      ],
      'registration.refused',
      'field.answered_twice',
    ],
  ]
  test.each(rows)('%s', async (_what, answers, code, failure) => {
    const { cup, act, captain } = await arrange()
    const reply = await act('register', captain, answers)
    expect(outcome(reply)).toEqual([400, code])
    if (failure !== '') {
      const told = reply.body.eligibility.team.failures.map((each: { code: string }) => each.code)
      expect(told).toContain(failure)
    }
    const [counts] = await api.sql('select registered from tournament_counts where tournament_guid = $1', [cup.guid])
    expect(counts).toEqual({ registered: 0 })
  })
})

test('a full roster of answers to many fields is stored in one go', async () => {
  const many = Array.from({ length: 30 }, (_, index) => field(`Field ${index}`, { subject: 'player', required: true }))
  const [captain, ...members] = await Promise.all(Array.from({ length: 16 }, () => api.user()))
  const cup = await makeTournament(api, organiser, {
    additionalFields: many,
    teamSize: { min: 16, max: 16, active: 16 },
  })
  const team = await makeTeam(api, cup, captain as Caller, { members })
  const answers = many.flatMap(({ guid }) =>
    [captain as Caller, ...members].map((player) => ({ fieldGuid: guid, userGuid: player.guid, response: 'x' })),
  )
  const reply = await api.post(`/tournaments/${cup.guid}/register/${team.guid}`, captain as Caller, {
    additionalFields: answers,
  })
  expect(reply.status).toBe(200)
  expect(reply.body.newTeam.additionalFields).toHaveLength(480)
})
