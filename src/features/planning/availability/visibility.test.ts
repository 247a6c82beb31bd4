import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  answered,
  type MadeSheet,
  makeSheet,
  problem,
  respond,
  respondFor,
  says,
  sheetBody,
} from '../../../../test/availability.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import {
  grantRole,
  type MadeTeam,
  type MadeTournament,
  makeTeam,
  makeTournament,
  roleHolder,
} from '../../../../test/make.ts'

/** Who sees which sheets, and who reads whose answers. */

let api: Harness
let cup: MadeTournament
const people: Record<string, Caller> = {}
const teams: Record<string, MadeTeam> = {}
const sheets: Record<string, MadeSheet> = {}

const who = (name: string) => people[name] as Caller
const sheetCalled = (name: string) => sheets[name] as MadeSheet

beforeAll(async () => {
  api = await startHarness()
  people.organiser = await api.user()
  cup = await makeTournament(api, who('organiser'))
  people.manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
  people.owner = await api.user({ globalRoles: ['role:owner'] })
  people.stranger = await api.user()
  people['other reader'] = await api.user({ globalRoles: ['global:users:read', 'global:notices:manage'] })
  for (const role of [
    'admin',
    'staff',
    'coordinator',
    'hcoordinator',
    'caster',
    'hcaster',
    'host',
    'referee',
    'pooler',
    'hpooler',
  ]) {
    people[role] = await roleHolder(api, cup, `role:${role}`)
  }
  people.member = await api.user()
  for (const status of ['unregistered', 'registered', 'qualified'] as const) {
    const captain = await api.user()
    people[`captain of ${status}`] = captain
    const members = status === 'registered' ? [who('member')] : []
    teams[status] = await makeTeam(api, cup, captain, { status, members })
  }
  const asked: Record<string, object> = {
    all: {},
    coordinators: { roles: ['role:coordinator'] },
    casting: { roles: ['role:caster', 'role:host'] },
    mixed: { roles: ['role:coordinator', 'role:caster'] },
    hcoordinators: { roles: ['role:hcoordinator'] },
    teams: { audience: 'teams' },
    'registered teams': { audience: 'teams', teamEligibility: 'registered' },
    'qualified teams': { audience: 'teams', teamEligibility: 'qualified' },
  }
  for (const [name, changes] of Object.entries(asked))
    sheets[name] = await makeSheet(api, cup, who('organiser'), changes)
})
afterAll(() => api[Symbol.asyncDispose]())

const everything = [
  ...['all', 'coordinators', 'casting', 'mixed', 'hcoordinators'],
  ...['teams', 'registered teams', 'qualified teams'],
]

describe('the sheets that somebody knows of', () => {
  test.each<[string, string[]]>([
    ['organiser', everything],
    ['admin', everything],
    ['staff', everything],
    ['manager', everything],
    ['owner', everything],
    ['coordinator', ['all', 'coordinators', 'mixed']],
    ['hcoordinator', ['all', 'coordinators', 'mixed', 'hcoordinators']],
    ['caster', ['all', 'casting', 'mixed']],
    ['hcaster', ['all', 'casting', 'mixed']],
    ['host', ['all', 'casting']],
    ['referee', ['all']],
    ['pooler', ['all']],
    ['hpooler', ['all']],
    ['captain of unregistered', []],
    ['captain of registered', ['teams', 'registered teams']],
    ['captain of qualified', ['teams', 'qualified teams']],
    ['member', []],
    ['stranger', []],
    ['other reader', []],
  ])('%s', async (name, expected) => {
    const names = new Map(Object.entries(sheets).map(([each, { guid }]) => [guid, each]))
    const state = await answered(api.get(`/tournaments/${cup.id}/availability`, who(name)))
    // Newest first.
    expect(state.sheets.map(({ guid }: { guid: string }) => names.get(guid))).toEqual(expected.toReversed())

    for (const [each, { address }] of Object.entries(sheets)) {
      const reply = await api.get(address, who(name))
      if (expected.includes(each)) {
        expect(problem(reply)).toEqual([200, null])
        expect(state.sheets).toContainEqual(reply.body)
        continue
      }
      // No operation on a hidden sheet reveals that it exists.
      const replies = [
        reply,
        await api.put(address, who(name), sheetBody()),
        await api.put(address, who(name), { title: 7 }),
        await api.delete(address, who(name)),
        await api.get(`${address}/overlap`, who(name)),
        await api.get(`${address}/overlap.ics`, who(name)),
        await respond(api, sheetCalled(each), who(name), [says('maybe', 18, 19)]),
        await respondFor(api, sheetCalled(each), teams.registered as MadeTeam, who(name), [says('maybe', 18, 19)]),
      ]
      for (const { status, text } of replies) {
        expect([status, text]).toEqual([404, 'There is no such availability sheet in this tournament.'])
      }
    }
  })

  test('nobody without a token, and nobody in a draft that they may not see', async () => {
    const { address } = sheetCalled('all')
    expect(problem(await api.get(`/tournaments/${cup.id}/availability`))).toEqual([401, 'token.missing'])
    expect(problem(await api.get(address))).toEqual([401, 'token.missing'])
    const draft = await makeTournament(api, who('organiser'), { status: 'draft' })
    const own = await makeSheet(api, draft, who('organiser'))
    for (const path of [`/tournaments/${draft.id}/availability`, own.address]) {
      expect(problem(await api.get(path, who('stranger')))).toEqual([404, 'tournament.unknown'])
      expect(problem(await api.get(path, who('organiser')))).toEqual([200, null])
    }
  })

  test('sheets of one tournament are no matter of another', async () => {
    const other = await makeTournament(api, who('caster'))
    const state = await answered(api.get(`/tournaments/${other.id}/availability`, who('caster')))
    expect(state.sheets).toEqual([])
  })
})

describe('what one is to the sheets', () => {
  const roles = [
    'admin',
    'staff',
    'coordinator',
    'hcoordinator',
    'pooler',
    'hpooler',
    'caster',
    'hcaster',
    'host',
    'referee',
  ]
  const allRoles = roles.map((role) => `role:${role}`)
  test.each<[string, string[], string[], boolean, string[]]>([
    ['organiser', [], allRoles, true, ['registered', 'qualified']],
    ['admin', ['role:admin'], allRoles, true, ['registered', 'qualified']],
    ['staff', ['role:staff'], allRoles, true, ['registered', 'qualified']],
    ['manager', [], allRoles, true, ['registered', 'qualified']],
    ['hcoordinator', ['role:hcoordinator'], ['role:coordinator', 'role:referee'], false, []],
    ['hcaster', ['role:hcaster'], ['role:caster', 'role:host'], false, []],
    ['caster', ['role:caster'], [], false, []],
    ['captain of registered', [], [], false, ['registered']],
    ['captain of qualified', [], [], false, ['qualified']],
    ['captain of unregistered', [], [], false, []],
    ['member', [], [], false, []],
    ['stranger', [], [], false, []],
  ])('%s', async (name, applicantRoles, manageableRoles, canManageTeams, ofTeams) => {
    const { sheets: _, ...state } = await answered(api.get(`/tournaments/${cup.id}/availability`, who(name)))
    expect(state).toEqual({
      applicantRoles,
      manageableRoles,
      canManageTeams,
      userGuid: who(name).guid,
      teams: ofTeams.map((status) => ({
        guid: teams[status]?.guid,
        id: teams[status]?.id,
        name: teams[status]?.name,
        captain: who(`captain of ${status}`).guid,
        isSolo: false,
        isRegistered: true,
        isQualified: status === 'qualified',
      })),
    })
  })

  test('a team of one is told as such', async () => {
    const solo = await makeTournament(api, who('organiser'), { teamSize: { min: 1, max: 1, active: 1 } })
    const player = await api.user()
    await makeTeam(api, solo, player, { status: 'qualified' })
    const { teams: own } = await answered(api.get(`/tournaments/${solo.id}/availability`, player))
    expect(own).toMatchObject([{ captain: player.guid, isSolo: true, isRegistered: true, isQualified: true }])
  })

  test('the sheet names the teams that it asks: all for those who read their answers, for captains their own', async () => {
    const eligible = async (sheet: string, name: string) => {
      const { eligibleTeams } = await answered(api.get(sheetCalled(sheet).address, who(name)))
      return eligibleTeams.map(({ guid }: MadeTeam) =>
        Object.keys(teams).find((status) => teams[status]?.guid === guid),
      )
    }
    expect(await eligible('teams', 'organiser')).toEqual(['registered', 'qualified'])
    expect(await eligible('registered teams', 'staff')).toEqual(['registered'])
    expect(await eligible('qualified teams', 'admin')).toEqual(['qualified'])
    expect(await eligible('teams', 'captain of registered')).toEqual(['registered'])
    expect(await eligible('all', 'organiser')).toEqual([])
  })
})

describe('whose answers somebody reads', () => {
  beforeAll(async () => {
    for (const name of ['coordinator', 'caster']) {
      await answered(
        respond(api, sheetCalled('mixed'), who(name), [{ ...says('maybe', 18, 18.25), otherReason: 'exam' }]),
      )
    }
    for (const name of ['admin', 'hcaster', 'coordinator', 'caster', 'host', 'pooler']) {
      await answered(respond(api, sheetCalled('all'), who(name), [says('available', 18, 18.25)]))
    }
    for (const status of ['registered', 'qualified']) {
      const captain = who(`captain of ${status}`)
      await answered(
        respondFor(api, sheetCalled('teams'), teams[status] as MadeTeam, captain, [says('maybe', 18, 18.25)]),
      )
    }
  })

  const answerers = (responses: { userGuid: string }[]) =>
    responses.map(({ userGuid }) => Object.keys(people).find((name) => people[name]?.guid === userGuid)).sort()

  test.each<[string, string, string[]]>([
    ['mixed', 'organiser', ['caster', 'coordinator']],
    ['mixed', 'admin', ['caster', 'coordinator']],
    ['mixed', 'staff', ['caster', 'coordinator']],
    ['mixed', 'manager', ['caster', 'coordinator']],
    ['mixed', 'hcoordinator', ['coordinator']],
    ['mixed', 'hcaster', ['caster']],
    ['mixed', 'coordinator', ['coordinator']],
    ['mixed', 'caster', ['caster']],
    ['all', 'organiser', ['admin', 'caster', 'coordinator', 'hcaster', 'host', 'pooler']],
    ['all', 'hcaster', ['caster', 'hcaster', 'host']],
    ['all', 'hcoordinator', ['coordinator']],
    ['all', 'hpooler', ['pooler']],
    ['all', 'host', ['host']],
    ['all', 'referee', []],
  ])('on the sheet “%s”, %s those of %j', async (sheet, name, expected) => {
    const { responses } = await answered(api.get(sheetCalled(sheet).address, who(name)))
    expect(answerers(responses)).toEqual(expected)
    for (const { user, userGuid } of responses) expect(user.guid).toBe(userGuid)
    const state = await answered(api.get(`/tournaments/${cup.id}/availability`, who(name)))
    const listed = state.sheets.find(({ guid }: { guid: string }) => guid === sheetCalled(sheet).guid)
    expect(listed.responses).toEqual(responses)
  })

  test('teams’ answers are for their captain, and for organiser, admins and staff', async () => {
    const teamsRead = async (name: string) => {
      const { teamResponses, teamSubmissions } = await answered(api.get(sheetCalled('teams').address, who(name)))
      const of = (rows: { teamGuid: string }[]) =>
        rows.map(({ teamGuid }) => Object.keys(teams).find((status) => teams[status]?.guid === teamGuid))
      expect(of(teamSubmissions)).toEqual(of(teamResponses))
      return of(teamResponses)
    }
    for (const name of ['organiser', 'admin', 'staff', 'manager']) {
      expect(await teamsRead(name)).toEqual(['registered', 'qualified'])
    }
    expect(await teamsRead('captain of registered')).toEqual(['registered'])
    expect(await teamsRead('captain of qualified')).toEqual(['qualified'])
  })

  test('the overlap is for those who read the answers, each of what they read', async () => {
    const overlapOf = async (sheet: string, name: string) => {
      const reply = await api.get(`${sheetCalled(sheet).address}/overlap`, who(name))
      return reply.status === 200 ? answerers(reply.body.slots[0].people) : problem(reply)
    }
    expect(await overlapOf('mixed', 'organiser')).toEqual(['caster', 'coordinator'])
    expect(await overlapOf('mixed', 'staff')).toEqual(['caster', 'coordinator'])
    expect(await overlapOf('mixed', 'hcoordinator')).toEqual(['coordinator'])
    expect(await overlapOf('all', 'hcaster')).toEqual(['caster', 'host'])
    for (const [sheet, name] of [
      ['mixed', 'caster'],
      ['hcoordinators', 'hcoordinator'],
      ['teams', 'captain of registered'],
    ] as const) {
      expect(await overlapOf(sheet, name)).toEqual([403, 'role.missing'])
      expect(problem(await api.get(`${sheetCalled(sheet).address}/overlap.ics`, who(name)))).toEqual([
        403,
        'role.missing',
      ])
    }
  })

  test('who loses the role, or the place, is no longer asked, and no longer counts, until they get it again', async () => {
    const holder = await roleHolder(api, cup, 'role:pooler')
    const sheet = await makeSheet(api, cup, who('organiser'), { roles: ['role:pooler'] })
    await answered(respond(api, sheet, holder, [says('maybe', 18, 18.25)]))
    const counted = async () => {
      const { responses } = await answered(api.get(sheet.address, who('organiser')))
      const { slots } = await answered(api.get(`${sheet.address}/overlap`, who('organiser')))
      return [responses.length, slots[0].counts.maybe]
    }
    expect(await counted()).toEqual([1, 1])
    await api.sql('delete from tournament_role_holders where user_guid = $1', [holder.guid])
    expect(problem(await api.get(sheet.address, holder))).toEqual([404, 'sheet.unknown'])
    expect(await counted()).toEqual([0, 0])
    await grantRole(api, cup, holder, 'role:pooler')
    expect(await counted()).toEqual([1, 1])

    const captain = await api.user()
    const team = await makeTeam(api, cup, captain, { status: 'registered' })
    const teamSheet = await makeSheet(api, cup, who('organiser'), { audience: 'teams', teamEligibility: 'registered' })
    await answered(respondFor(api, teamSheet, team, captain, [says('maybe', 18, 18.25)]))
    const teamsCounted = async () => {
      const { teamResponses, teamSubmissions } = await answered(api.get(teamSheet.address, who('organiser')))
      const { slots } = await answered(api.get(`${teamSheet.address}/overlap`, who('organiser')))
      return [teamResponses.length, teamSubmissions.length, slots[0].counts.maybe]
    }
    expect(await teamsCounted()).toEqual([1, 1, 1])
    await api.sql(`update teams set status = 'qualified' where guid = $1`, [team.guid])
    expect(problem(await api.get(teamSheet.address, captain))).toEqual([404, 'sheet.unknown'])
    expect(await teamsCounted()).toEqual([0, 0, 0])
    await api.sql(`update teams set status = 'registered' where guid = $1`, [team.guid])
    expect(await teamsCounted()).toEqual([1, 1, 1])
  })
})
