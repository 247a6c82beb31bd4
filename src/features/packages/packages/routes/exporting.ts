import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { anyone } from '../../../../core/actor.ts'
import { Answer, query, tournamentPath } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { NextCursor, oneOf, PageQuery } from '../../../../core/schema.ts'
import { etagOfDigest, matches } from '../../../../infra/http/etag.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { organisers } from '../../../tournaments/access/policy.ts'
import { checkMayTake } from '../policy.ts'
import { makePackage } from '../queries.ts'
import { checkIncluded } from '../rules.ts'
import { listDownloads, listTaken, noteTaken } from '../store/taken.ts'
import { variants } from '../types.ts'
import { DownloadsView, PackageKeysView, TakenPackageView, takenPackageView } from '../views.ts'

const keys = query({
  name: 'packages.keys',
  method: 'GET',
  path: '/.well-known/package-keys.json',
  root: true,
  scope: 'public',
  allow: anyone,
  summary: 'The public keys of all packages that this service has ever signed, the newest first.',
  description:
    'Packages are signed by the `current` key alone. What a `retired` key has signed is still valid; what a `revoked` one has signed is not. (RFC 7517, RFC 8037)',
  reply: { 200: PackageKeysView },
  run: async ({ services, now }) => ({ keys: [...(await services.keys.packages.list(now))] }),
})

const take = query({
  name: 'packages.export',
  method: 'GET',
  path: `${tournamentPath}/package`,
  scope: 'public',
  allow: anyone,
  budget: 'upload',
  inRehearsals: false,
  summary: 'The tournament as one signed file: what everybody may read of it, everything, or everything but names.',
  description:
    'A zip file: rows as JSON in `data/`, their schemas in `schemas/`, media in `media/`, a manifest that lists all files with their digests, and its signature. While nothing changes, the file stays the same byte for byte. `public` is for everybody once the tournament is completed, and before that for its organiser and admins; the others are for the organiser and admins, and need the scope `rest:read`. Secrets, keys, addresses of webhooks and e-mail are never in it; of a match flow that is not over, neither the seed nor the secret answers are. Who takes it is listed; without a token it is only counted. Two are made at a time; it is refused if it would be larger than may be imported again (512 MiB, 200,000 rows). `downbeat package verify` checks it without a network.',
  query: Type.Object({
    variant: Type.Optional(
      oneOf(variants, {
        description:
          '`public` (the default): what everybody may read now. `full`: everything. `anonymised`: as `full`, without people, addresses, pictures and what people wrote; results and structure stay.',
      }),
    ),
    include: Type.Optional(
      oneOf(['private'], {
        description: 'With `full` alone: also private answers, notes of the staff, and their reasons.',
      }),
    ),
    media: Type.Optional(
      oneOf(['all', 'none'], { description: '`none`: the manifest lists media, and their files are left out.' }),
    ),
  }),
  headers: Type.Object({
    'if-none-match': Type.Optional(Type.String({ description: 'The ETag of a package that you have.' })),
  }),
  reply: { 200: Type.String({ description: 'A zip file.' }) },
  contentType: 'application/zip',
  problems: {
    ...{ 'token.missing': 401, 'scope.missing': 401, 'role.missing': 403, 'package.not_public_yet': 403 },
    ...{ 'package.draft': 409, 'package.too_large': 409, 'service.busy': 503 },
  },
  run: async ({ actor, tournament, query: asked, headers, request, services, now }) => {
    const { variant = 'public', include, media = 'all' } = asked
    checkMayTake(actor, tournament, variant)
    checkIncluded(variant, include)
    // What only a whole package tells, its length and tag, is left out. (RFC 9110 §9.3.2)
    if (request.isHead) return new Answer(200, { body: Readable.from([]), contentType: 'application/zip' })
    const wanted = { variant, isPrivate: include === 'private', hasMedia: media === 'all' }
    const made = await makePackage(tournament.guid, wanted, { services, now })
    const { bytes, sha256, id } = made
    const etag = etagOfDigest(sha256)
    if (!matches(headers['if-none-match'], etag)) {
      const facts = { ...wanted, tournamentGuid: tournament.guid, byGuid: actor.guid, createdAt: now, bytes, sha256 }
      await services.packages
        .transaction((tx) => noteTaken(tx, facts))
        .catch(async (error: unknown) => {
          await made.close()
          throw error
        })
    }
    return new Answer(200, {
      body: made.read(),
      contentType: 'application/zip',
      headers: {
        etag,
        'content-length': `${bytes}`,
        'content-disposition': `attachment; filename="${id}-${variant}.zip"`,
      },
    })
  },
})

const listName = 'packages'

const list = query({
  name: 'packages.list',
  method: 'GET',
  path: `${tournamentPath}/packages`,
  scope: 'rest:read',
  allow: organisers,
  inRehearsals: false,
  summary: 'Who took packages of the tournament, newest first.',
  description:
    'Each with its size and digest, by which a file is recognised. Packages themselves are not kept. Those that were taken without signing in are only counted, day by day.',
  query: Type.Object(PageQuery),
  reply: {
    200: Type.Object({
      packages: Type.Array(TakenPackageView),
      downloads: Type.Array(DownloadsView, { description: 'The last 30 days that have any, newest first.' }),
      nextCursor: NextCursor,
    }),
  },
  run: async ({ db, tournament, query: { limit = defaultPageSize, before } }) => {
    const after = decodeCursor(listName, before, isMakingPosition)
    const page = toPage(listName, await listTaken(db, tournament.guid, { after, limit }), limit, makingPosition)
    const people = await listUserFacts(
      db,
      page.items.map(({ byGuid }) => byGuid),
    )
    const packages = page.items.flatMap((taken) => {
      const by = people.get(taken.byGuid)
      return by === undefined ? [] : [takenPackageView(taken, by)]
    })
    const downloads = await listDownloads(db, tournament.guid)
    return { packages, downloads, nextCursor: page.nextCursor }
  },
})

export const exportingOperations = [keys, take, list]
