import { type CatalogueRecord, hashOf, madeUp } from './records.ts'

/** Invented songs, the same in every installation, so that their ids can be documented. */

const beginnings = ['Paper', 'Velvet', 'Hollow', 'Amber', 'Static', 'Northern', 'Broken', 'Silent', 'Neon', 'Winter']
const ends = ['Lanterns', 'Circuit', 'Harbour', 'Meridian', 'Orchard', 'Signal', 'Staircase', 'Parade', 'Telescope']
const artists = ['The Tin Weathermen', 'Ordinary Comets', 'Plum Theory', 'Room 404', 'Gravel & Lace', 'Eleven Kites']
const mappers = ['halfnote', 'obliqua', 'tapestry', 'wristwatch', 'northpaw', 'lowercase', 'zigzagger']

const standard = [['ExpertPlus'], ['Expert', 'ExpertPlus'], ['Hard', 'Expert', 'ExpertPlus']] as const

/** The first key, beyond the range of the real catalogue. */
const firstKey = 0xf0000001

export const inventedSongs: readonly CatalogueRecord[] = ends.flatMap((end, row) =>
  beginnings.map((beginning, column) => songOf(row * beginnings.length + column, `${beginning} ${end}`)),
)

function songOf(index: number, songName: string): CatalogueRecord {
  const [artist = '', mapper = ''] = [artists[index % artists.length], mappers[index % mappers.length]]
  const duration = 95 + ((index * 37) % 190)
  const difficulties = (standard[index % standard.length] ?? []).map((difficulty, place) => {
    const nps = 4.5 + place + ((index * 13) % 40) / 10
    const notes = Math.round(nps * duration)
    return { difficulty, nps, notes, njs: 15 + place + (index % 6), seconds: duration, maxScore: maxScoreOf(notes) }
  })
  return madeUp(index, {
    id: (firstKey + index).toString(16),
    name: `${artist} - ${songName}`,
    hash: hashOf(`invented song ${index}`),
    difficulties,
    metadata: {
      bpm: 120 + ((index * 7) % 90),
      duration,
      songName,
      songSubName: '',
      songAuthorName: artist,
      levelAuthorName: mapper,
    },
  })
}

/** 115 for a note, with less for the first thirteen. */
function maxScoreOf(notes: number): number {
  return notes * 920 - 7_245
}
