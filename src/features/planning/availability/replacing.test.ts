import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  answered,
  at,
  makeMatches,
  makeSheet,
  problem,
  respond,
  respondFor,
  says,
  sheetBody,
  sheetsOf,
  span,
  told,
} from '../../../../test/availability.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { hold } from '../../../../test/locks.ts'
import { type MadeTournament, makeTeam, makeTournament, roleHolder } from '../../../../test/make.ts'

/** Changing a sheet that may have answers. */

let api: Harness
let organiser: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  cup = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const create = (changes: object) => api.post(sheetsOf(cup), organiser, sheetBody(changes))

describe('replacing a sheet', () => {
  test('changes all of it but where it comes from, and keeps the GUIDs of windows that stay', async () => {
    const before = (await create({ windows: [span(18, 20), span(20, 22)], roles: ['role:caster'] })).body
    const admin = await roleHolder(api, cup, 'role:admin')
    const address = `${sheetsOf(cup)}/${before.guid}`
    const changes = { title: 'Semifinals', timezone: 'Asia/Tokyo', windows: [span(20, 22), span(42, 44)] }
    const reply = await api.put(address, admin, sheetBody(changes))
    expect(problem(reply)).toEqual([200, null])
    expect(reply.body).toEqual({
      ...before,
      title: 'Semifinals',
      timezone: 'Asia/Tokyo',
      roles: [],
      updatedAt: instant,
      windows: [
        { guid: before.windows[1].guid, ...span(20, 22) },
        { guid: uuid, ...span(42, 44) },
      ],
      dropped: { responses: 0, teamResponses: 0, teamSubmissions: 0 },
    })
    expect(reply.body.updatedAt > before.updatedAt).toBe(true)
    const { dropped: _, ...after } = reply.body
    expect((await api.get(address, organiser)).body).toEqual(after)
  })

  test('keeps the entries of matches that stay, and puts them into the new order', async () => {
    const [first, second, third] = (await makeMatches(api, cup, [{}, {}, {}])) as [string, string, string]
    const before = (await create({ mode: 'matches', matchGuids: [first, second] })).body
    const reply = await api.put(
      `${sheetsOf(cup)}/${before.guid}`,
      organiser,
      sheetBody({ mode: 'matches', matchGuids: [third, second] }),
    )
    expect(
      reply.body.matches.map(({ guid, matchGuid }: { guid: string; matchGuid: string }) => [guid, matchGuid]),
    ).toEqual([
      [uuid, third],
      [before.matches[1].guid, second],
    ])
  })

  test('keeps the answers that still fit, says how many it dropped, and drops nothing when it is refused', async () => {
    const [caster, host] = [await roleHolder(api, cup, 'role:caster'), await roleHolder(api, cup, 'role:host')]
    const sheet = await makeSheet(api, cup, organiser)
    await answered(respond(api, sheet, caster, [says('available', 18, 20), says('maybe', 20, 21)]))
    await answered(respond(api, sheet, host, [says('unavailable', 18, 18.5)]))
    const before = (await api.get(sheet.address, caster)).body.responses

    const refused = await api.put(sheet.address, organiser, sheetBody({ windows: [span(19, 22), span(20, 21)] }))
    expect(problem(refused)).toEqual([400, 'availability.sheet_invalid'])
    expect((await api.get(sheet.address, organiser)).body.responses).toHaveLength(14)

    const { body } = await api.put(sheet.address, organiser, sheetBody({ windows: [span(19.5, 22)] }))
    expect(body.dropped).toEqual({ responses: 6 + 2, teamResponses: 0, teamSubmissions: 0 })
    expect(told(body.responses)).toEqual([
      '19.5–19.75 available',
      '19.75–20 available',
      '20–20.25 maybe',
      '20.25–20.5 maybe',
      '20.5–20.75 maybe',
      '20.75–21 maybe',
    ])
    // The answers that stay are unchanged, including their GUIDs.
    expect((await api.get(sheet.address, caster)).body.responses).toEqual(before.slice(6))
    expect((await api.get(sheet.address, host)).body.responses).toEqual([])
  })

  test('keeps answers to matches that stay', async () => {
    const caster = await roleHolder(api, cup, 'role:caster')
    const [first, second] = (await makeMatches(api, cup, [{}, {}])) as [string, string]
    const sheet = await makeSheet(api, cup, organiser, { mode: 'matches', matchGuids: [first, second] })
    await answered(
      respond(api, sheet, caster, [
        { status: 'maybe', matchGuid: first },
        { status: 'available', matchGuid: second },
      ]),
    )
    const before = (await api.get(sheet.address, caster)).body.responses
    const { body } = await api.put(sheet.address, organiser, sheetBody({ mode: 'matches', matchGuids: [second] }))
    expect(body.dropped.responses).toBe(1)
    expect((await api.get(sheet.address, caster)).body.responses).toEqual([before[1]])
  })

  test('keeps the answers of teams that fit other slots', async () => {
    const captain = await api.user()
    const team = await makeTeam(api, cup, captain, { status: 'registered' })
    const asked = { audience: 'teams', slotMinutes: 30 }
    const sheet = await makeSheet(api, cup, organiser, asked)
    await answered(respondFor(api, sheet, team, captain, [says('available', 18, 19.5), says('maybe', 19.5, 20)]))
    const { body } = await api.put(sheet.address, organiser, sheetBody({ ...asked, slotMinutes: 60 }))
    expect(body.dropped).toEqual({ responses: 0, teamResponses: 2, teamSubmissions: 0 })
    expect(told(body.teamResponses)).toEqual(['18–19 available'])
    const { body: moved } = await api.put(sheet.address, organiser, sheetBody({ ...asked, windows: [span(42, 44)] }))
    expect(moved.dropped).toEqual({ responses: 0, teamResponses: 1, teamSubmissions: 1 })
    expect([moved.teamResponses, moved.teamSubmissions]).toEqual([[], []])
  })

  test('waits for those who are answering, and drops what they said as well', async () => {
    const holder = await roleHolder(api, cup, 'role:host')
    const sheet = await makeSheet(api, cup, organiser, { roles: ['role:host'] })
    const held = await hold(api, ['select from users where guid = $1 for update', holder.guid])
    const answer = respond(api, sheet, holder, [says('available', 18, 21)])
    await held.waiting(1)
    const edit = api.put(sheet.address, organiser, sheetBody({ roles: ['role:host'], windows: [span(20, 22)] }))
    await held.waiting(2).finally(() => held.release())
    expect((await answered(answer)).responses).toHaveLength(12)
    const { responses, dropped } = await answered(edit)
    expect([told(responses)[0], responses.length, dropped.responses]).toEqual(['20–20.25 available', 4, 8])
  })

  test('while others answer, no answer is left that does not fit', async () => {
    const holders = await Promise.all(Array.from({ length: 8 }, () => roleHolder(api, cup, 'role:pooler')))
    const sheet = await makeSheet(api, cup, organiser, { roles: ['role:pooler'] })
    const [edited, ...replies] = await Promise.all([
      api.put(sheet.address, organiser, sheetBody({ roles: ['role:pooler'], windows: [span(20, 22)] })),
      ...holders.map((holder) => respond(api, sheet, holder, [says('available', 18, 21)])),
    ])
    expect(problem(edited)).toEqual([200, null])
    // Answers before the change lost what no longer fits; answers after it were refused.
    const early = replies.filter(({ status }) => status === 200)
    for (const reply of replies.filter((each) => !early.includes(each))) {
      expect(problem(reply)).toEqual([400, 'availability.outside'])
    }
    expect(edited.body.dropped.responses).toBe(early.length * 8)
    const left = (await api.get(sheet.address, organiser)).body.responses
    expect(left).toHaveLength(early.length * 4)
    expect(left.every(({ startsAt }: { startsAt: string }) => startsAt >= at(20))).toBe(true)
  })
})
