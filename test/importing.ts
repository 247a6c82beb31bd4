import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { anonymous } from '../src/core/actor.ts'
import type { PackageSource } from '../src/features/packages/packages/types.ts'
import { placePeople } from '../src/features/people/users/commands/placeholders.ts'
import { createTournament } from '../src/features/tournaments/tournaments/commands/settings.ts'
import { objectName } from '../src/infra/storage/storage.ts'
import type { Services } from '../src/services.ts'
import { fileOf } from './packages.ts'

/** Replaces what writes the rows of packages, in tests of what comes before and after. */

interface Person {
  readonly guid: string
  readonly name: string
  readonly chatPlatformId: string | null
}

const medium = fileOf('', 'medium')

/** Makes a draft with people, and one object of storage that no row names. */
export const importNothing: Services['importPackage'] = async (tx, source, wish, { services, now }) => {
  const people: (Person & { readonly user: string })[] = []
  for await (const { row } of source.rows('people')) people.push({ ...(row as unknown as Person), user: randomUUID() })
  const settings = { id: wish.id ?? source.manifest.tournament.id, name: source.manifest.tournament.name }
  const around = { chatApiUrl: '', mediaUrl: services.config.media.url, now }
  const { tournament } = await createTournament(tx, { ...anonymous, guid: wish.caller }, settings, around)
  await placePeople(
    tx,
    people.map(({ user, name, chatPlatformId }) => ({ guid: user, name, chatPlatformId })),
    { tournamentGuid: tournament.guid, actorGuid: wish.caller, avatarUrl: 'https://cdn.example.org/a.png' },
  )
  const file = path.join(os.tmpdir(), randomUUID())
  await writeFile(file, medium.content)
  const { bytes, sha256 } = medium
  await services.storage.put(objectName(sha256), file, { bytes, digest: sha256, headers: {} })
  return {
    tournamentGuid: tournament.guid,
    counts: source.manifest.counts,
    guids: { [source.manifest.tournament.guid]: tournament.guid },
    people: people.map(({ guid, user }) => ({ guid, user, state: 'placeholder' })),
    ...{ skipped: [{ path: 'data/people.ndjson', member: 'hat', rows: 1 }], changed: [], notTaken: ['roles'] },
  }
}

/** How many lines two kinds have, and how many bytes a medium has that is read twice. */
export async function readTwice(source: PackageSource, kinds: readonly [string, string], sha256: string) {
  const lines = async (kind: string) => {
    let last = 0
    for await (const { line } of source.rows(kind)) last = line
    return last
  }
  const bytes = async () => {
    let sum = 0
    for await (const piece of source.medium(sha256) ?? []) sum += piece.byteLength
    return sum
  }
  return [await lines(kinds[0]), await lines(kinds[0]), await lines(kinds[1]), await bytes(), await bytes()]
}
