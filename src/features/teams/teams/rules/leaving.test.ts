import { expect, test } from 'vitest'
import type { TournamentStatus } from '../../../tournaments/tournaments/types.ts'
import type { TeamStatus } from '../types.ts'
import { namelessTeam, partingOf, revealsChatId, revealsName, type TeamOfLeaver } from './leaving.ts'

const leaver = {
  guid: '00000000-0000-4000-8000-000000000001',
  chatPlatformId: '210987654321098765',
  username: 'quaver',
  preferredName: 'Quaver Q',
}
const friend = '00000000-0000-4000-8000-000000000002'

interface Case {
  readonly tournament?: TournamentStatus
  readonly status?: TeamStatus
  readonly captain?: string
  readonly successor?: string | null
  readonly isActive?: boolean | null
  readonly id?: string
  readonly name?: string
}

function team(given: Case): TeamOfLeaver {
  const { tournament = 'approved', status = 'unregistered', captain = leaver.guid, successor = friend } = given
  return {
    team: {
      guid: 'abcdef01-0000-4000-8000-0000000000ff',
      tournamentGuid: '00000000-0000-4000-8000-0000000000ee',
      id: given.id ?? 'the-rests',
      name: given.name ?? 'The Rests',
      status,
      captainGuid: captain,
    },
    tournamentStatus: tournament,
    isActive: given.isActive === undefined ? true : given.isActive,
    memberGuids: [leaver.guid],
    successorGuid: successor,
  }
}

const forming = ['draft', 'approved', 'ongoing'] as const

test.each<[string, Case, string]>([
  ...forming.map((tournament): [string, Case, string] => [
    `a member leaves a team of a tournament that is ${tournament}`,
    { tournament, captain: friend },
    'leave',
  ]),
  ...forming.map((tournament): [string, Case, string] => [
    `a captain’s place passes on while the tournament is ${tournament}`,
    { tournament },
    'pass',
  ]),
  ['a substitute leaves as well', { captain: friend, isActive: false }, 'leave'],
  ['a team without anybody else is deleted in a draft', { tournament: 'draft', successor: null }, 'dissolve'],
  ['a team without anybody else is deleted before the start', { successor: null }, 'dissolve'],
  ['and stays once the tournament has started', { tournament: 'ongoing', successor: null }, 'stay'],
  ['a registered team keeps its roster', { status: 'registered', captain: friend }, 'stay'],
  ['a qualified team keeps its roster', { tournament: 'ongoing', status: 'qualified', captain: friend }, 'stay'],
  ['teams of a completed tournament stay', { tournament: 'completed', successor: null }, 'stay'],
  ['members of a completed tournament stay', { tournament: 'completed', captain: friend }, 'stay'],
  ['teams of a cancelled tournament stay', { tournament: 'cancelled' }, 'stay'],
  ['a team that only bears the leaver’s ID is left alone', { isActive: null, captain: friend }, 'stay'],
])('%s', (_what, given, parting) => {
  expect(partingOf(team(given), leaver)).toBe(parting)
})

test.each([
  ['210987654321098765', true],
  ['210987654321098765-2', true],
  ['2109876543210987651', false],
  ['21098765432109876', false],
  ['the-rests', false],
])('the id %s tells the leaver’s chat-platform ID: %s', (id, tells) => {
  expect(revealsChatId(team({ id }), leaver)).toBe(tells)
  expect(revealsChatId(team({ id, captain: friend, isActive: null }), leaver)).toBe(tells)
})

test.each([
  ["Quaver Q's team", true],
  ["Quaver Q's team 3", true],
  ["Earlier Name's team", true],
  ['QUAVER', true],
  ['quaver q', true],
  ['The Quavers', false],
  ["Quaver's teams", false],
])('the name “%s” of their own team tells who the leaver was: %s', (name, tells) => {
  expect(revealsName(team({ name }), leaver)).toBe(tells)
  expect(revealsName(team({ name, captain: friend }), leaver)).toBe(false)
})

test('a team without a name has one that nobody else can have, and a valid id', () => {
  expect(namelessTeam('abcdef01-0000-4000-8000-0000000000ff')).toEqual({
    id: 'abcdef010000400080000000000000ff',
    name: 'Team abcdef01',
    longName: 'Team abcdef010000400080000000000000ff',
  })
})
