import { expect, test } from 'vitest'
import { changesOf } from './rules.ts'
import type { CompatOverlay } from './views/overlay.ts'

/** Which events a change causes. (realtime: Compatibility door) */

const team = { guid: 'team', name: 'Team', imageUrl: null, isSolo: false, captain: null, members: [] }
const pick = {
  mapGuid: 'map',
  map: null,
  actionerGuid: 'team',
  actioner: team,
  isPick: true,
  isBan: false,
  isTB: false,
  flowOrder: 1,
}
const results = {
  guid: 'match',
  winnerGuid: null,
  team1Score: 0,
  team2Score: 0,
  team1ReplaysRemaining: 1,
  team2ReplaysRemaining: 1,
  scores: [],
}
const match: NonNullable<CompatOverlay['match']> = {
  guid: 'match',
  matchNumber: 1,
  matchType: 'Final',
  scheduledTime: null,
  actualStartTime: null,
  actualEndTime: null,
  status: 'ready',
  maxScore: 2,
  sides: { team1: team, team2: null },
  mapPool: { maps: [] },
  picksBans: [],
  results,
  nextMatchGuid: null,
  loserMatchGuid: null,
}
const overlay: CompatOverlay = {
  guid: 'overlay',
  name: 'Main',
  tournament: { guid: 'cup', id: 'cup', name: 'Cup' },
  match,
  matchOverlay: { taServerGuid: null },
}
const withMatch = (changed: Partial<typeof match>): CompatOverlay => ({ ...overlay, match: { ...match, ...changed } })

const pointed = 'tournamentOverlayUpdate:match overlay'
const details = 'tournamentOverlayUpdate:matchDetails newOverlay'
const picked = 'picksBansOverlayUpdate:state:addAction newOverlay'
const scored = 'matchOverlayUpdate:scoreSubmit newOverlay'
const assistant = 'matchOverlayUpdate:TAData newOverlay'

test.each<[string, CompatOverlay, string[]]>([
  ['nothing', structuredClone(overlay), []],
  ['another match', withMatch({ guid: 'other', status: 'running', picksBans: [pick] }), [pointed]],
  ['no match', { ...overlay, match: null }, [pointed]],
  ['the name of the overlay', { ...overlay, name: 'Second' }, [details]],
  ['the tournament', { ...overlay, tournament: { ...overlay.tournament, name: 'Bowl' } }, [details]],
  ['the status', withMatch({ status: 'running' }), [details]],
  ['a side', withMatch({ sides: { team1: team, team2: { ...team, guid: 'other' } } }), [details]],
  ['a pick', withMatch({ picksBans: [pick] }), [picked]],
  ['results', withMatch({ results: { ...results, team1Score: 1 } }), [scored]],
  ['replays that are left', withMatch({ results: { ...results, team1ReplaysRemaining: 0 } }), [scored]],
  ['the link', { ...overlay, matchOverlay: { taServerGuid: 'ta' } }, [assistant]],
  [
    'everything at once',
    {
      ...withMatch({ status: 'completed', picksBans: [pick], results: { ...results, winnerGuid: 'team' } }),
      matchOverlay: { taServerGuid: 'ta' },
    },
    [details, picked, scored, assistant],
  ],
])('%s', (_what, after, expectedChanges) => {
  expect(changesOf(overlay, after).map(({ event, member }) => `${event} ${member}`)).toEqual(expectedChanges)
})

test('where there was no match, and is none, the rest is told', () => {
  const none = { ...overlay, match: null }
  expect(changesOf(none, { ...none, name: 'Second' })).toEqual([
    { event: 'tournamentOverlayUpdate:matchDetails', member: 'newOverlay' },
  ])
})
