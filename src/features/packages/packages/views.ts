import { Type } from 'typebox'
import { Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { ManifestFacts } from '../../../infra/packages/packing.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { directions, signerStates, type TakenPackage, variants } from './types.ts'

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
    variant: oneOf(variants),
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
