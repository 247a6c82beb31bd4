import { describe, expect, test } from 'vitest'
import { at } from '../../../../../test/availability.ts'
import type { TournamentRole } from '../../../../core/roles.ts'
import { type AvailabilityStatus, availabilityStatuses, type Run } from '../../../../engine/availability.ts'
import type { TeamStatus } from '../../../teams/teams/types.ts'
import type { Sheet, SheetSettings, StaffAnswers, TeamAnswers } from '../types.ts'
import { refitAnswers } from './editing.ts'

const guid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const time = (hour: number) => Date.parse(at(hour))
const run = (start: number, end: number, status: AvailabilityStatus = 'available'): Run => ({
  start: time(start),
  end: time(end),
  status,
})
const hours = (runs: readonly Run[]) =>
  runs.map(({ start, end, status }) => `${(start - time(0)) / 3_600_000}–${(end - time(0)) / 3_600_000} ${status}`)

type Changes = Partial<SheetSettings>
const settings = (changes: Changes = {}): SheetSettings => ({
  audience: 'staff',
  teamEligibility: 'both',
  slotMinutes: 15,
  acceptedStatuses: availabilityStatuses,
  title: 'Finals',
  description: null,
  mode: 'days',
  roles: [],
  timezone: 'UTC',
  closesAt: null,
  windows: [{ start: time(18), end: time(22) }],
  matchGuids: [],
  ...changes,
})
function sheet(changes: Changes = {}): Sheet {
  const { matchGuids: _, windows, ...rest } = settings(changes)
  return {
    ...rest,
    guid: guid(0),
    tournamentGuid: guid(8),
    createdByGuid: guid(9),
    windows: windows.map((window) => ({ ...window, guid: guid(7) })),
    createdAt: new Date(0),
    updatedAt: new Date(0),
  }
}
const staff = (answers: Partial<StaffAnswers>): StaffAnswers => ({
  guid: guid(1),
  sheetGuid: guid(0),
  userGuid: guid(2),
  role: 'role:caster',
  submittedAt: new Date(0),
  runs: [],
  matches: [],
  ...answers,
})
const team = (runs: readonly Run[], status: TeamStatus = 'registered'): TeamAnswers & { status: TeamStatus } => ({
  sheetGuid: guid(0),
  teamGuid: guid(3),
  updatedByGuid: guid(2),
  submittedAt: new Date(0),
  runs,
  status,
})

const none = { responses: 0, teamResponses: 0, teamSubmissions: 0 }
const nothingChanges = { staff: [], teams: [], goneStaff: [], goneTeams: [], dropped: none }

describe('answers of staff', () => {
  const evening = [run(18, 20), run(20, 21, 'maybe')]
  test.each<[string, Changes, string[] | 'gone' | 'as they are', number]>([
    [
      'another title, zone and close',
      { title: 'Other', timezone: 'Asia/Tokyo', closesAt: new Date(0) },
      'as they are',
      0,
    ],
    ['more windows', { windows: [run(10, 12), run(18, 22)] }, 'as they are', 0],
    ['the same time as a range', { mode: 'range' }, 'as they are', 0],
    ['the same time in two windows', { windows: [run(18, 19), run(19, 22)] }, 'as they are', 0],
    ['slots of teams of another length', { slotMinutes: 60 }, 'as they are', 0],
    ['a later start', { windows: [run(19.5, 22)] }, ['19.5–20 available', '20–21 maybe'], 6],
    ['a gap', { windows: [run(18, 19), run(20.5, 22)] }, ['18–19 available', '20.5–21 maybe'], 6],
    ['another day', { windows: [run(42, 46)] }, 'gone', 12],
    ['fewer statuses', { acceptedStatuses: ['available', 'unavailable'] }, ['18–20 available'], 4],
    ['none of the statuses', { acceptedStatuses: ['unavailable'] }, 'gone', 12],
    ['roles with theirs', { roles: ['role:host', 'role:caster'] }, 'as they are', 0],
    ['roles without theirs', { roles: ['role:host'] }, 'gone', 12],
    ['teams', { audience: 'teams' }, 'gone', 12],
    ['matches', { mode: 'matches', windows: [], matchGuids: [guid(5)] }, 'gone', 12],
  ])('when the sheet asks for %s', (_name, changes, expected, dropped) => {
    const kept = refitAnswers(sheet(), settings(changes), [staff({ runs: evening })], [])
    expect(kept.dropped).toEqual({ ...none, responses: dropped })
    expect(kept.goneStaff).toEqual(expected === 'gone' ? [guid(1)] : [])
    expect(kept.staff.map(({ runs }) => hours(runs))).toEqual(typeof expected === 'string' ? [] : [expected])
  })

  test('to matches', () => {
    const answers = staff({
      matches: [
        { matchGuid: guid(5), status: 'available', reason: 'if early' },
        { matchGuid: guid(6), status: 'maybe' },
      ],
    })
    const asked: Changes = { mode: 'matches', windows: [], matchGuids: [guid(5), guid(6)] }
    const edit = (changes: Changes) => refitAnswers(sheet(asked), settings({ ...asked, ...changes }), [answers], [])
    expect(edit({ title: 'Other' })).toEqual(nothingChanges)
    expect(edit({ matchGuids: [guid(7), guid(5)] })).toMatchObject({
      staff: [{ guid: guid(1), matches: [{ matchGuid: guid(5), status: 'available', reason: 'if early' }] }],
      dropped: { ...none, responses: 1 },
    })
    expect(edit({ acceptedStatuses: ['maybe'] })).toMatchObject({
      staff: [{ matches: [{ matchGuid: guid(6), status: 'maybe' }] }],
      dropped: { ...none, responses: 1 },
    })
    expect(edit({ matchGuids: [guid(7)] })).toMatchObject({ goneStaff: [guid(1)], dropped: { ...none, responses: 2 } })
  })

  test('each on its own, in one count', () => {
    const all = (['role:caster', 'role:host', 'role:referee'] as TournamentRole[]).map((role, index) =>
      staff({ guid: guid(index), role, runs: [run(18, 19), run(21, 22)] }),
    )
    const kept = refitAnswers(
      sheet(),
      settings({ roles: ['role:caster', 'role:host'], windows: [run(18, 19)] }),
      all,
      [],
    )
    expect(kept.staff.map((answers) => [answers.guid, hours(answers.runs)])).toEqual([
      [guid(0), ['18–19 available']],
      [guid(1), ['18–19 available']],
    ])
    expect(kept.goneStaff).toEqual([guid(2)])
    expect(kept.dropped.responses).toBe(4 + 4 + 8)
  })
})

describe('answers of teams', () => {
  const teamSheet = (changes: Changes = {}) => sheet({ audience: 'teams', slotMinutes: 30, ...changes })
  const teamSettings = (changes: Changes = {}) => settings({ audience: 'teams', slotMinutes: 30, ...changes })
  const evening = [run(18, 19.5), run(19.5, 21, 'maybe')]

  test.each<[string, Changes, string[] | 'gone' | 'as they are', number]>([
    ['shorter slots', { slotMinutes: 15 }, 'as they are', 0],
    ['longer slots, of which one was answered in two ways', { slotMinutes: 60 }, ['18–19 available', '20–21 maybe'], 2],
    [
      'slots that start at other times',
      { slotMinutes: 30, windows: [run(18.25, 22.25)] },
      ['18.25–19.25 available', '19.75–20.75 maybe'],
      4,
    ],
    ['a shorter window', { windows: [run(18, 19)] }, ['18–19 available'], 4],
    ['fewer statuses', { acceptedStatuses: ['maybe'] }, ['19.5–21 maybe'], 3],
    ['another day', { windows: [run(42, 46)] }, 'gone', 6],
    ['staff', { audience: 'staff' }, 'gone', 6],
    ['qualified teams alone', { teamEligibility: 'qualified' }, 'gone', 6],
    ['registered teams alone', { teamEligibility: 'registered' }, 'as they are', 0],
  ])('when the sheet asks for %s', (_name, changes, expected, dropped) => {
    const kept = refitAnswers(teamSheet(), teamSettings(changes), [], [team(evening)])
    const isGone = expected === 'gone'
    expect(kept.dropped).toEqual({ ...none, teamResponses: dropped, teamSubmissions: isGone ? 1 : 0 })
    expect(kept.goneTeams).toEqual(isGone ? [guid(3)] : [])
    expect(kept.teams.map(({ runs }) => hours(runs))).toEqual(typeof expected === 'string' ? [] : [expected])
  })

  test('what a team answered that is neither registered nor qualified for now waits', () => {
    const edited = teamSettings({ teamEligibility: 'qualified' })
    expect(refitAnswers(teamSheet(), edited, [], [team(evening, 'unregistered')])).toEqual(nothingChanges)
  })

  test('that a team has nothing to answer is an answer too, as long as it is asked', () => {
    expect(refitAnswers(teamSheet(), teamSettings({ windows: [run(42, 46)] }), [], [team([])])).toEqual(nothingChanges)
    expect(refitAnswers(teamSheet(), settings(), [], [team([])])).toMatchObject({
      goneTeams: [guid(3)],
      dropped: { ...none, teamSubmissions: 1 },
    })
  })
})
