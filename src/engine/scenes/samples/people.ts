import type { PlayerScore } from '../live.ts'
import type { TreeMap, TreePlayer, TreeTeam } from '../tree.ts'

/** Invented people, teams and maps, some with names of the greatest length. */

/** Returns the address of a picture by its name. Samples have no pictures of their own. */
export type PictureOf = (name: string) => string | null

export function guidOf(kind: number, count: number): string {
  return `00000000-0000-4000-8${String(kind).padStart(3, '0')}-${String(count).padStart(12, '0')}`
}

const people = [
  ['Quaver', 'CA', 'she/her', 'Valve Index', 12, 9],
  ['Cadenza', 'DE', 'they/them', 'Quest 3', 31, 44],
  ['Syncopated Lightning', 'JP', null, 'Bigscreen Beyond', 4, 7],
  ['nocturne', 'BR', 'he/him', 'Quest 2', 210, 188],
  ['Allegretta', 'FR', 'she/her', 'PSVR2', 77, 91],
  ['TheUnreasonablyLongNamedMetronomeEnjoyer', 'US', 'any', 'Quest Pro', 143, 150],
  ['Ōkami 狼', 'JP', null, 'Vive Pro 2', 18, 22],
  ['Fermata', 'GB', 'he/him', null, 65, 60],
  ['Legato', 'NL', null, 'Quest 3', 402, null],
  ['ritard.', 'PL', 'she/they', 'Valve Index', 88, 102],
  ['Vivace', 'KR', 'he/him', 'Quest 3', 9, 11],
  ['Ostinato', 'AU', null, 'Rift S', 333, 290],
] as const

export function playerOf(index: number, pictures: PictureOf): TreePlayer {
  const [name, country, pronouns, headset, rankA, rankB] = people[index % people.length] ?? people[0]
  return {
    guid: guidOf(1, index + 1),
    name,
    country,
    pronouns,
    headset,
    rankA,
    rankB,
    avatarUrl: pictures(`player-${index + 1}`),
    stream: null,
  }
}

const teams = [
  ['The Quavers', '#e4572e'],
  ['Offbeat', '#17bebb'],
  ['Grand Orchestra of Perpetually Late Entries', '#ffc914'],
  ['Saber Society', '#8f48db'],
  ['Left Hand Path', '#76b041'],
  ['Double Time', '#d64292'],
  ['Rest & Fermata', '#4f86f7'],
  ['Ōkami', '#c0c6c9'],
  ['Metronomes Anonymous', '#e07a5f'],
  ['Wrong Notes', '#81b29a'],
  ['Half Step', '#f2cc8f'],
  ['Crescendo', '#3d5a80'],
] as const

export function teamOf(index: number, pictures: PictureOf): TreeTeam {
  const [name, color] = teams[index % teams.length] ?? teams[0]
  return {
    guid: guidOf(2, index + 1),
    name,
    color,
    imageUrl: pictures(`team-${index + 1}`),
    isSolo: false,
    seed: index + 1,
  }
}

/** The team of a player who plays alone. */
export function soloOf(player: TreePlayer, seed: number): TreeTeam {
  return { guid: player.guid, name: player.name, imageUrl: player.avatarUrl, color: null, isSolo: true, seed }
}

const maps = [
  ['Glass Harbour', null, 'Marrow & Tide', 'cyan-mapper', 'ExpertPlus', 178, 7.1, 214, 8.92],
  ['Paper Lanterns', '(Night Mix)', 'Aoki Ensemble', 'lumi', 'ExpertPlus', 196, 8.4, 187, 10.31],
  ['Nine Volt Heart', null, 'Static Parade', 'orchard', 'Expert', 160, 5.6, 201, 6.75],
  [
    'The Cartographer Who Mapped an Entire Ocean and Got Lost at Home',
    null,
    'Long Distance Choir',
    'waypoint & compass',
    'ExpertPlus',
    144,
    6.2,
    305,
    7.4,
  ],
  ['Undertow', null, 'Veld', 'saltwater', 'ExpertPlus', 210, 9.8, 142, 12.04],
  ['Kite Season', null, 'Morrow', 'lumi', 'Hard', 128, 4.1, 232, 4.02],
  ['Zero Crossing', 'feat. Ada', 'Fourier', 'sine', 'ExpertPlus', 200, 8.9, 156, 11.2],
  ['Marigold', null, 'Petal Kind', 'orchard', 'Expert', 150, 5.2, 198, 6.1],
  ['Static Bloom', null, 'Static Parade', 'cyan-mapper', 'ExpertPlus', 185, 7.9, 221, 9.66],
  ['Hollow Sun', null, 'Veld', 'penumbra', 'ExpertPlus', 174, 7.3, 250, 8.8],
  ['Last Train North', null, 'Aoki Ensemble', 'waypoint', 'Expert', 168, 6.0, 189, 7.0],
] as const

export function mapOf(index: number, pictures: PictureOf): TreeMap {
  const [name, subName, artist, mapper, difficulty, bpm, nps, durationSeconds, starsA] =
    maps[index % maps.length] ?? maps[0]
  const notes = Math.round(nps * durationSeconds)
  const flairs = [
    { name: 'Speed', color: '#ff6347', icon: null },
    { name: 'Tech', color: '#59b0f4', icon: null },
    { name: 'Accuracy', color: '#3cb371', icon: null },
  ]
  return {
    guid: guidOf(3, index + 1),
    hash: String(index + 1).padStart(40, 'a'),
    key: (0x2a41 + index * 977).toString(16),
    name,
    subName,
    artist,
    mapper,
    difficulty,
    bpm,
    nps,
    durationSeconds,
    starsA,
    notes,
    imageUrl: pictures(`map-${index + 1}`),
    characteristic: 'Standard',
    njs: 19 + (index % 4),
    maxScore: notes * 920,
    starsB: null,
    flair: flairs[index % flairs.length] ?? null,
    modifiers: [],
  }
}

/** The values of a player at a moment of a song. */
export function scoreAt(
  songTime: number,
  accuracy: number,
  misses: number,
  maxScore: number,
  length: number,
): PlayerScore {
  const share = Math.min(1, songTime / length)
  return {
    score: Math.round(maxScore * share * accuracy),
    accuracy,
    combo: misses === 0 ? Math.round(share * 1_400) : Math.round((share * 900) / (misses + 1)),
    misses,
    badCuts: 0,
    songTime,
    state: 'playing',
  }
}

/** The instant `minutes` after `now`, ISO 8601. */
export function instant(now: number, minutes: number): string {
  return new Date(now + minutes * 60_000).toISOString()
}
