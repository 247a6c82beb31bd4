import { Type } from 'typebox'
import { anonymous, anyone, everybody } from '../../../../core/actor.ts'
import { SpreadsheetQuery, spreadsheetNote } from '../../../../core/csv.ts'
import { Answer, query } from '../../../../core/operation.ts'
import { HtmlQuery, htmlOf, htmlProblems } from '../../../../core/rendered.ts'
import { isPooler } from '../../../tournaments/access/policy.ts'
import { poolAudience } from '../policy.ts'
import { loadPreviewedPool, loadShownPool, readCover, readCsv, readPlaylist } from '../queries/files.ts'
import { readPool } from '../queries/pools.ts'
import { attachment, playlistType } from '../views/playlist.ts'
import { PoolView } from '../views/pool.ts'
import { poolPath } from './pools.ts'

const shownPath = '/resources/pooling/pools/:poolGuid' as const

const csvType = 'text/csv; charset=utf-8'

const busy = { 'service.busy': 503 } as const

const read = query({
  name: 'pools.readShown',
  method: 'GET',
  path: shownPath,
  scope: 'public',
  allow: anyone,
  summary: 'A map pool of any tournament, as everybody sees it.',
  description: 'Pools that are published or archived, in tournaments that everybody sees. Whoever asks sees the same.',
  query: Type.Object(HtmlQuery),
  reply: { 200: PoolView },
  problems: { 'pool.unknown': 404, ...htmlProblems },
  audience: everybody,
  run: async ({ db, poolGuid, query: { include }, services, now, depends }) => {
    const { pool, tournament } = await loadShownPool(db, poolGuid)
    depends(tournament.guid)
    const html = await htmlOf(services.markdown, include, pool)
    const view = await readPool(db, tournament, pool, { actor: anonymous, publicUrl: services.config.publicUrl, now })
    return { ...view, ...html }
  },
})

const Key = Type.Optional(Type.String({ maxLength: 100, description: 'Preview key of a draft.' }))

const playlist = query({
  name: 'pools.playlist',
  method: 'GET',
  path: `${shownPath}/playlist.bplist`,
  scope: 'public',
  allow: anyone,
  summary: 'The playlist of a published pool, which the game loads, and loads again.',
  description:
    'A whole playlist, or 404: the game empties its list on any other answer. It never needs a token, and its address never changes. With a preview key, that of a draft.',
  query: Type.Object({ key: Key }),
  reply: { 200: Type.String() },
  contentType: playlistType,
  problems: { 'pool.unknown': 404, ...busy },
  audience: everybody,
  run: async ({ db, poolGuid, query: { key }, services, depends }) => {
    const around = { pictures: services.pictures, publicUrl: services.config.publicUrl }
    if (key !== undefined) {
      const file = await readPlaylist(db, await loadPreviewedPool(db, poolGuid, key), around, key)
      return new Answer(200, { ...file, headers: { ...file.headers, 'cache-control': 'private, no-store' } })
    }
    const found = await loadShownPool(db, poolGuid)
    depends(found.tournament.guid)
    return new Answer(200, await readPlaylist(db, found, around))
  },
})

const playlistInTournament = query({
  name: 'pools.playlistInTournament',
  method: 'GET',
  path: `${poolPath}/playlist.bplist`,
  scope: 'public',
  allow: anyone,
  summary: 'The same playlist by the address of its tournament.',
  description: 'It names the other address as the one from which the game loads it again.',
  reply: { 200: Type.String() },
  contentType: playlistType,
  problems: { 'pool.unknown': 404, ...busy },
  audience: everybody,
  run: async ({ db, pool, services, depends }) => {
    const found = await loadShownPool(db, pool.guid)
    depends(found.tournament.guid)
    const around = { pictures: services.pictures, publicUrl: services.config.publicUrl }
    return new Answer(200, await readPlaylist(db, found, around))
  },
})

const cover = query({
  name: 'pools.cover',
  method: 'GET',
  path: `${shownPath}/cover`,
  scope: 'public',
  allow: anyone,
  summary: 'The cover of a published pool: the one that was set, or a picture that is made from its name.',
  description: 'Square, PNG or JPEG. `coverUrl` of a pool leads here, and changes with the picture.',
  reply: { 200: Type.String({ description: 'PNG or JPEG.' }) },
  contentType: 'image/png',
  problems: { 'pool.unknown': 404, ...busy },
  audience: everybody,
  run: async ({ db, poolGuid, services, depends }) => {
    const { pool, tournament } = await loadShownPool(db, poolGuid)
    depends(tournament.guid)
    const { picture, mediaType } = await readCover(db, pool, services.pictures)
    return new Answer(200, { body: picture, contentType: mediaType })
  },
})

const coverInTournament = query({
  name: 'pools.coverInTournament',
  method: 'GET',
  path: `${poolPath}/cover`,
  scope: 'public',
  allow: anyone,
  summary: 'The cover of a pool that the caller may read, drafts among them.',
  description: 'For poolers who have set one, and want to see it before the publication.',
  reply: { 200: Type.String({ description: 'PNG or JPEG.' }) },
  contentType: 'image/png',
  problems: busy,
  run: async ({ db, pool, services }) => {
    const { picture, mediaType } = await readCover(db, pool, services.pictures)
    return new Answer(200, { body: picture, contentType: mediaType })
  },
})

const csv = query({
  name: 'pools.csv',
  method: 'GET',
  path: `${poolPath}/maps.csv`,
  scope: 'public',
  allow: anyone,
  summary: 'The maps of a pool as a table.',
  description: `${spreadsheetNote} For poolers with state, adder, staff note, and votes as far as they may see them.`,
  query: Type.Object(SpreadsheetQuery),
  reply: { 200: Type.String() },
  contentType: csvType,
  // Not cached for poolers: they see votes only after they have voted.
  audience: (actor, records) => (isPooler(actor) ? null : poolAudience(actor, records)),
  run: async ({ db, actor, tournament, pool, query: wanted, depends }) => {
    depends(tournament.guid)
    const body = await readCsv(db, tournament.guid, pool, actor, wanted.for)
    const headers = { 'content-disposition': attachment(`${tournament.name} ${pool.name}`, 'csv') }
    return new Answer(200, { body, contentType: csvType, headers })
  },
})

export const filesOperations = [read, playlist, playlistInTournament, cover, coverInTournament, csv]
