import { Type } from 'typebox'
import type { SignedIn } from '../../../core/actor.ts'
import { exampleGuid, Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { ManifestFacts } from '../../../infra/packages/packing.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { TournamentView, tournamentView } from '../../tournaments/tournaments/views.ts'
import type { Taken } from './commands/taking.ts'
import type { CheckedPackage } from './prepare.ts'
import { directions, type ImportMode, importModes, packageVariants, signerStates, type TakenPackage } from './types.ts'

export const PackageKeysView = Type.Object({
  keys: Type.Array(
    Type.Object({
      kid: Type.String({
        description: 'The thumbprint of the key. (RFC 7638)',
        examples: ['kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'],
      }),
      kty: oneOf(['OKP']),
      crv: oneOf(['Ed25519']),
      x: Type.String({
        description: 'The public key, in base64url.',
        examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
      }),
      use: oneOf(['sig']),
      status: oneOf(['current', 'retired', 'revoked']),
      revokedAt: nullable(Instant),
    }),
  ),
})

export const TakenPackageView = Type.Object(
  {
    at: Instant,
    by: UserCard,
    variant: oneOf(packageVariants),
    private: Type.Boolean({ description: 'Whether private answers, notes and reasons are in it.' }),
    bytes: Type.Integer({ examples: [183204] }),
    sha256: Type.String({
      description: 'Of the whole file, in hex.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    direction: oneOf(directions),
    signer: oneOf(signerStates, { description: 'Whether the key that signed it is known here.' }),
  },
  { title: 'TournamentPackage' },
)

export function takenPackageView(taken: TakenPackage, by: UserFacts) {
  const { createdAt, variant, isPrivate, bytes, digest, direction, signer } = taken
  return {
    ...{ at: formatInstant(createdAt), by: userCard(by), variant, private: isPrivate, bytes },
    ...{ sha256: digest.toString('hex'), direction, signer },
  }
}

export const DownloadsView = Type.Object({
  day: Type.String({ format: 'date', description: 'In UTC.', examples: ['2026-05-01'] }),
  count: Type.Integer({ minimum: 1, description: 'How often the package was taken without a token.' }),
})

/** What the file says of itself to people. (P1) */
export function readMe(facts: ManifestFacts): string {
  const { tournament, service, variant } = facts
  return `${[tournament.name, ...(service.url === null ? [] : [`${service.url}/${tournament.id}`])].join('\n')}

${contents[variant](facts)}

data/      one file for each kind of rows: a row is a line of JSON
schemas/   what the members of the rows mean, as JSON Schema
media/     pictures, videos and fonts, named by their SHA-256
manifest.json lists all files with their SHA-256; manifest.jws is its signature.
Addresses that begin with https://media.invalid/media/{guid}/ lead to the medium with that GUID in data/media.ndjson.

To check that the package is whole, and who signed it: downbeat package verify FILE
`
}

const contents: Readonly<Record<ManifestFacts['variant'], (facts: ManifestFacts) => string>> = {
  public: ({ service }) => `This is what everybody could read of a tournament of ${service.name} ${service.release}.
Names and IDs of people are in it, as everybody sees them.`,
  full: ({
    service,
    private: isPrivate,
  }) => `This is a tournament of ${service.name} ${service.release}, with everything that belongs to it.
${isPrivate ? 'Private answers, notes of the staff and their reasons are in it: keep it to yourself.' : 'Private answers, notes of the staff and their reasons are left out.'}
Names and IDs of people are in it.`,
  anonymised: ({ service }) => `This is a tournament of ${service.name} ${service.release} without names.
People, teams and texts are numbered, GUIDs and short ids are replaced, and all times are moved by the same number of weeks.
Chat IDs, links, addresses, countries, pictures, updates, comments, overlays and the audit are left out.
Results are not hidden: people who know the public results of the tournament can match them with these, and so find out
who each number is.`,
}

const rows = Type.Integer({ minimum: 0, description: 'How many rows that concerns.' })

export const ImportedPackageView = Type.Object(
  {
    tournament: nullable(TournamentView, 'null after a dry run.'),
    mode: oneOf(importModes),
    signer: Type.Object({
      state: oneOf(signerStates, { description: '`unknown`: the package is whole, by a key that is not known here.' }),
      kid: nullable(Type.String(), 'The thumbprint of the key. (RFC 7638)'),
      name: nullable(Type.String(), 'The service that the key belongs to, if it is known.'),
    }),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: 'Rows by kind.',
      examples: [{ teams: 57, matches: 112 }],
    }),
    guids: Type.Record(Type.String(), Guid, { description: 'Of a copy: the new GUID of each old one.' }),
    people: Type.Array(
      Type.Object({
        guid: Type.String({ description: 'In the package.', examples: [exampleGuid] }),
        user: Guid,
        state: oneOf(['account', 'placeholder']),
      }),
    ),
    skipped: Type.Array(
      Type.Object({
        path: Type.String({ examples: ['data/weather.ndjson'] }),
        member: nullable(Type.String({ examples: ['wind'] }), 'null for a whole file.'),
        rows,
      }),
      { description: 'What was left out: this release does not know it, or it lacks what it needs or names.' },
    ),
    changed: Type.Array(
      Type.Object({
        path: Type.String({ examples: ['media/4f2a.webp'] }),
        why: Type.String({ examples: ['It had metadata.'] }),
      }),
      {
        description: 'Media that were written anew.',
      },
    ),
    notTaken: Type.Array(Type.String(), {
      description: 'Kinds that an import of this mode never gives.',
      examples: [['roles']],
    }),
  },
  { title: 'ImportedPackage' },
)

export function importedPackageView(
  { imported, record }: Taken,
  { signer, source }: CheckedPackage,
  mode: ImportMode,
  actor: SignedIn,
) {
  const { counts, guids, people, skipped, changed, notTaken } = imported
  return {
    tournament:
      record && tournamentView(record, { ...actor, isOrganiser: record.tournament.organiserGuid === actor.guid }),
    ...{ mode, signer: { ...signer }, counts: { ...counts }, guids: { ...guids } },
    ...{
      people: [...people],
      skipped: [...source.skipped, ...skipped],
      changed: [...changed],
      notTaken: [...notTaken],
    },
  }
}
