import type { PlayerScore } from '../live.ts'
import type { TreeMap, TreeMatch, TreePlayer, TreeRow, TreeStatistic } from '../tree.ts'
import type { Described, Group } from './described.ts'

/** Descriptions of records that are at several places of the tree. (overlays: Data tree) */

export const map: Described<TreeMap> = {
  guid: ['guid', 'Of the map in the catalogue'],
  hash: ['text', 'Of the map'],
  key: ['text', 'By which the map is found on the map platform'],
  name: ['text', 'Title of the song'],
  subName: ['text', 'Second title of the song'],
  artist: ['text', 'Who made the song'],
  mapper: ['text', 'Who made the map'],
  imageUrl: ['address', 'Cover'],
  characteristic: ['text', 'Such as Standard or OneSaber'],
  difficulty: ['text', 'Such as ExpertPlus'],
  bpm: ['number', 'Beats per minute'],
  njs: ['number', 'Speed of notes'],
  nps: ['number', 'Notes per second'],
  durationSeconds: ['number', 'How long the song is'],
  notes: ['number', 'How many there are'],
  maxScore: ['number', 'The most that can be had'],
  starsA: ['number', 'Stars on the first ranking platform'],
  starsB: ['number', 'Stars on the second ranking platform'],
  flair: {
    words: 'Flair of the map in its pool',
    of: { name: ['text', 'Name'], color: ['color', 'Colour'], icon: ['text', 'Icon'] },
  },
  modifiers: { words: 'Modifiers that are set', most: null, each: ['text', 'Name of a modifier'] },
}

export const inGroup = (words: string): Group<TreeMap> => ({ words, of: map })

export const player: Described<TreePlayer> = {
  guid: ['guid', 'Of the user'],
  name: ['text', 'Name'],
  avatarUrl: ['address', 'Picture'],
  country: ['text', 'Two letters'],
  pronouns: ['text', 'Pronouns'],
  headset: ['text', 'Headset'],
  rankA: ['number', 'Rank on the first ranking platform'],
  rankB: ['number', 'Rank on the second ranking platform'],
  stream: {
    words: 'What the player streams',
    of: {
      live: ['boolean', 'Whether the player is live'],
      whep: ['address', 'WHEP'],
      llhls: ['address', 'Low-latency HLS'],
      hls: ['address', 'HLS'],
      embed: ['address', 'Player of the streaming site'],
    },
  },
}

export const match: Described<TreeMatch> = {
  guid: ['guid', 'Of the match'],
  number: ['number', 'In its division'],
  label: ['text', 'Bracket, section and round'],
  status: ['text', 'Status'],
  scheduledAt: ['instant', 'When it is planned'],
  sides: {
    words: 'Both sides',
    most: 2,
    each: {
      name: ['text', 'Team'],
      imageUrl: ['address', 'Picture of the team'],
      placeholder: ['text', 'Such as “Winner of match 12”'],
      score: ['number', 'Maps won'],
      isWinner: ['boolean', 'Whether the side has won'],
    },
  },
}

export const row: Described<TreeRow> = {
  rank: ['number', 'Place'],
  name: ['text', 'Team or player'],
  imageUrl: ['address', 'Picture'],
  played: ['number', 'Matches played'],
  won: ['number', 'Matches won'],
  lost: ['number', 'Matches lost'],
  points: ['number', 'Points'],
  value: ['number', 'What the rank was found by'],
  isQualified: ['boolean', 'Whether it goes on'],
}

export const playing: Described<PlayerScore> = {
  score: ['number', 'Score'],
  modifiedScore: ['number', 'Score with modifiers'],
  accuracy: ['number', '0 to 2; above 1 with modifiers alone'],
  combo: ['number', 'Notes hit in a row'],
  misses: ['number', 'Notes missed'],
  badCuts: ['number', 'Notes cut wrongly'],
  songTime: ['number', 'Seconds into the song'],
  state: ['text', 'Such as playing'],
}

export const statistic: Described<TreeStatistic> = {
  name: ['text', 'Whose it is'],
  value: ['number', 'How much it is'],
  match: ['number', 'Number of the match'],
  map: ['text', 'Title of the map'],
}
