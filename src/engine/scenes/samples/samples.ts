import type { PlayerScore } from '../live.ts'
import type { ControlState, DataTree, TreeCurrentMap, TreeSide } from '../tree.ts'
import { game, openGame, pool } from './maps.ts'
import { guidOf, instant, mapOf, type PictureOf, playerOf, scoreAt, soloOf, teamOf } from './people.ts'
import { matchOf, open, roadOf, rows, side } from './tables.ts'

/** Sample data of an invented tournament. Editors show scenes with it while there is no match, and tests use it. */

export const samplePresets = ['solo', 'teams', 'free_for_all', 'pick_ban', 'bracket', 'break', 'finished'] as const
export type SamplePreset = (typeof samplePresets)[number]

export interface Sample {
  readonly data: DataTree
  /** The control state. The caller chooses the scene. */
  readonly control: ControlState
  readonly live: Readonly<Record<string, PlayerScore>>
}

/** @param now the time around which the sample's instants are placed, in milliseconds since 1970 */
export function sampleOf(preset: SamplePreset, now: number, pictures: PictureOf = () => null): Sample {
  return makers[preset](now, pictures)
}

const makers: Readonly<Record<SamplePreset, (now: number, pictures: PictureOf) => Sample>> = {
  solo: (now, pictures) => playing(now, pictures, [[0], [1]], [0.9642, 0.9587]),
  teams: (now, pictures) =>
    playing(
      now,
      pictures,
      [
        [0, 2, 5],
        [1, 3, 4],
      ],
      [0.9642, 0.9423, 0.9711, 0.9587, 0.9102, 0.9655],
    ),
  free_for_all(now, pictures) {
    const sample = playing(now, pictures, [[0, 1, 2, 3, 4, 6], []], [0.9642, 0.9587, 0.9714, 0.9102, 0.9501, 0.9688])
    const sides = sample.data.sides.map((side) => ({ ...side, team: null, score: null, placeholder: null }))
    return { ...sample, data: { ...sample.data, sides, games: [], flow: null } }
  },
  pick_ban(now, pictures) {
    const sample = playing(now, pictures, [[0], [1]], [])
    const flow = {
      phase: 'picksBans',
      turn: { action: 'pick', side: 2 as const, run: 1 },
      clock: { dueAt: instant(now, 0.6), remainingMs: null, pausedAt: null, seconds: 60 },
      matchPoint: [],
      seats: [
        { replaysLeft: 1, timeoutsLeft: 1 },
        { replaysLeft: 1, timeoutsLeft: 1 },
      ],
    }
    const sides = sample.data.sides.map((side) => ({ ...side, score: 0 }))
    return { ...sample, data: { ...sample.data, sides, flow, map: null, games: [], ...pool(pictures, 4) } }
  },
  bracket: (now, pictures) =>
    playing(
      now,
      pictures,
      [
        [0, 2, 5],
        [1, 3, 4],
      ],
      [],
    ),
  break(now, pictures) {
    const sample = playing(now, pictures, [[0], [1]], [])
    const control = { ...sample.control, countdownTo: instant(now, 4.2), flavour: 'Back after a short break' }
    const { match, sides } = sample.data
    return {
      ...sample,
      control,
      data: {
        ...sample.data,
        map: null,
        games: [],
        pickBans: [],
        pool: null,
        flow: null,
        match: match === null ? null : { ...match, status: 'ready', startedAt: null, scheduledAt: instant(now, 4.2) },
        sides: sides.map((side) => ({ ...side, score: null })),
      },
    }
  },
  finished(now, pictures) {
    const sample = playing(now, pictures, [[0], [1]], [])
    const { match, sides, games } = sample.data
    return {
      ...sample,
      data: {
        ...sample.data,
        match: match === null ? null : { ...match, status: 'completed', outcome: 'played' },
        sides: sides.map((side, index) => ({
          ...side,
          score: index === 0 ? 3 : 1,
          result: index === 0 ? 'win' : 'loss',
        })),
        games: [...games.slice(0, 3), game(4, 4, pictures, [0.9702, 0.9633], 1, 2)],
        road: roadOf(now, pictures),
        map: null,
        flow: null,
        winners: [0, 1, 2, 3, 4, 5, 6, 7].map((index) => {
          const { name, imageUrl } = teamOf(index, pictures)
          return { place: index < 4 ? index + 1 : 5, name, imageUrl }
        }),
      },
    }
  },
}

/** A match in progress, best of five. */
function playing(
  now: number,
  pictures: PictureOf,
  players: readonly (readonly number[])[],
  accuracies: readonly number[],
): Sample {
  const isSolo = players.every(({ length }) => length <= 1)
  const sides = players.map((indexes, index): TreeSide => {
    const all = indexes.map((each) => playerOf(each, pictures))
    const [first] = all
    const team =
      isSolo && first !== undefined ? soloOf(first, index === 0 ? 3 : 11) : teamOf(index === 0 ? 0 : 2, pictures)
    return {
      number: index === 0 ? 1 : 2,
      team,
      placeholder: null,
      score: index === 0 ? 2 : 1,
      result: null,
      players: all,
    }
  })
  const map: TreeCurrentMap = { ...mapOf(3, pictures), pickedBy: 2, isTiebreaker: false, target: null }
  const length = map.durationSeconds ?? 1
  const live = Object.fromEntries(
    sides
      .flatMap((side) => side.players)
      .slice(0, accuracies.length)
      .map(({ guid }, index) => [
        `player:${guid}`,
        scoreAt(length * 0.62, accuracies[index] ?? 0.95, (index * 2) % 5, map.maxScore ?? 1, length),
      ]),
  )
  return {
    live,
    control: controlOf(now, pictures),
    data: {
      tournament: {
        guid: guidOf(9, 1),
        id: 'harbour-cup',
        name: 'Harbour Cup',
        imageUrl: pictures('cup'),
        bannerUrl: null,
        timezone: 'Europe/Berlin',
      },
      match: {
        guid: guidOf(4, 29),
        number: 29,
        label: 'Upper bracket · Semi-final',
        status: 'running',
        bestOf: 5,
        winsNeeded: 3,
        scheduledAt: instant(now, -22),
        startedAt: instant(now, -18),
        outcome: null,
      },
      sides,
      map,
      ...pool(pictures, 8),
      flow: {
        phase: 'playing',
        turn: null,
        clock: null,
        matchPoint: [1],
        seats: [
          { replaysLeft: 1, timeoutsLeft: 1 },
          { replaysLeft: 0, timeoutsLeft: 1 },
        ],
      },
      games: [
        game(1, 0, pictures, [0.9689, 0.9612], 1),
        game(2, 1, pictures, [0.9412, 0.9466], 2),
        game(3, 2, pictures, [0.9755, 0.9701], 1, 2),
        openGame(4, 3, pictures, 2),
      ],
      bracket: {
        before: [matchOf(25, 0, 5, [3, 1], now, -95, pictures), matchOf(26, 2, 3, [3, 2], now, -60, pictures)],
        after: [
          {
            ...matchOf(31, 1, 1, null, now, 40, pictures),
            label: 'Upper bracket · Final',
            sides: [side(6, pictures), open('Winner of match 29')],
          },
          {
            ...matchOf(34, 1, 1, null, now, 70, pictures),
            label: 'Lower bracket · Round 5',
            sides: [open('Loser of match 29'), open('Winner of match 33')],
          },
        ],
        upcoming: [
          { ...matchOf(30, 4, 6, null, now, 20, pictures), label: 'Upper bracket · Semi-final' },
          { ...matchOf(32, 7, 8, null, now, 40, pictures), label: 'Lower bracket · Round 4' },
          { ...matchOf(33, 9, 10, null, now, 60, pictures), label: 'Lower bracket · Round 4' },
          {
            ...matchOf(31, 6, 6, null, now, 80, pictures),
            label: 'Upper bracket · Final',
            sides: [open('Winner of match 29'), open('Winner of match 30')],
          },
          {
            ...matchOf(35, 6, 6, null, now, 110, pictures),
            label: 'Grand final',
            sides: [open('Winner of match 31'), open('Winner of match 34')],
          },
        ],
        recent: [matchOf(26, 2, 3, [3, 2], now, -60, pictures), matchOf(25, 0, 5, [3, 1], now, -95, pictures)],
        highlighted: [],
      },
      standings: rows(12, pictures, false),
      qualifier: rows(16, pictures, true),
      winners: [],
      road: [],
      statistics: {
        highestAccuracy: { name: 'Syncopated Lightning', value: 0.9873, match: 18, map: 'Marigold' },
        mostMisses: { name: 'ritard.', value: 214, match: 7, map: 'Undertow' },
        mostReplays: { name: 'Fermata', value: 3, match: 12, map: null },
        longest: { name: 'Left Hand Path – Double Time', value: 4_260, match: 21, map: null },
        shortest: { name: 'Offbeat – Half Step', value: 720, match: 3, map: null },
      },
    },
  }
}

function controlOf(now: number, pictures: PictureOf): ControlState {
  const caster = (name: string, pronouns: string | null, handle: string, index: number) => ({
    name,
    pronouns,
    handle,
    userGuid: null,
    imageUrl: pictures(`caster-${index}`),
  })
  return {
    scene: null,
    matchGuid: guidOf(4, 29),
    swapSides: false,
    mapCard: 'auto',
    audio: { active: 2, muted: false, volume: 1 },
    casters: [caster('Andante', 'she/her', '@andante', 1), caster('Basso Profondo', 'he/him', '@basso_profondo', 2)],
    flavour: '',
    highlighted: [],
    countdownTo: instant(now, 12),
    blank: false,
    custom: {},
    autoAdvance: true,
    autoDelayMs: 4_000,
    revision: 1,
    updatedAt: instant(now, -1),
  }
}
