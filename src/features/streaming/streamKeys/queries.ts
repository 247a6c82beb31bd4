import { type Actor, firstParty, type SignedIn } from '../../../core/actor.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UnreachableReason } from '../../../infra/clients/http.ts'
import { mediaServerKinds } from '../../../infra/clients/media-servers/kinds.ts'
import type { Db } from '../../../infra/db/database.ts'
import { type Seal, type SealedForm, sealedForm } from '../../../infra/sealed.ts'
import { openText, sealText } from '../../../infra/sealed-text.ts'
import { ownersAndDevelopers } from '../../people/users/policy.ts'
import { pathOf, playOf } from '../streamServers/rules/watching.ts'
import { listEnabledServers } from '../streamServers/store.ts'
import type { StreamServer } from '../streamServers/types.ts'
import { unknownKey } from './resolve.ts'
import { keyToShow, minimumPicture, testSecondsLeft, viewTokenLifetime } from './rules.ts'
import { type Arriving, listArriving, listKeys, testSecondsToday } from './store.ts'
import type { StreamKey } from './types.ts'
import type { FailureKind, StreamSettingsView } from './views.ts'

export const keyPurpose = 'stream-key'

export function sealKey(seal: Seal, key: string): string {
  return sealText(seal, keyPurpose, key)
}

/** Returns the key itself for tokens of the website only; applications see only which keys exist. (S2, D40) */
export function shownKey(seal: Seal, actor: Actor, { sealed }: Pick<StreamKey, 'sealed'>): string | null {
  if (!firstParty.allows(actor, {})) return null
  try {
    return openText(seal, keyPurpose, sealed)
  } catch {
    // The key was sealed with another secret of the installation and cannot be shown. Encoders can still use it, and
    // its owner may rotate it.
    return null
  }
}

/** A token that lets its holder watch the tests of the user whose GUID it contains. (S5) */
export const viewTokenForm: SealedForm<string> = sealedForm('stream-view', viewTokenLifetime)

/**
 * Reads the settings for the user's encoder, with the given key or else the newest key that has no end.
 * @throws Problem `stream_key.unknown`
 */
export async function readSettings(
  db: Db,
  actor: SignedIn,
  asked: string | undefined,
  { seal, now }: { readonly seal: Seal; readonly now: Date },
): Promise<StreamSettingsView> {
  const [keys, servers, used, arriving] = await Promise.all([
    listKeys(db, actor.guid),
    listEnabledServers(db),
    testSecondsToday(db, actor.guid, now),
    listArriving(db, actor.guid),
  ])
  const record = keyToShow(keys, asked)
  if (record === undefined && asked !== undefined) throw unknownKey()
  const key = record === undefined ? null : shownKey(seal, actor, record)
  const encoders = servers.flatMap(({ guid, name, kind, ingest }) =>
    ingest.map((address) => ({
      server: { guid, name },
      protocol: address.protocol,
      ...mediaServerKinds[kind].encoderFields(address, actor.guid, key),
      minimum: minimumPicture,
    })),
  )
  return {
    streamKey: record?.guid ?? null,
    encoders,
    watch: servers.map((server) => ({
      server: { guid: server.guid, name: server.name },
      play: playOf(server.play, pathOf(actor.guid)),
      state: stateOf(server),
      failing: failureOf(server, actor),
      live: liveOf(arriving.find(({ serverGuid }) => serverGuid === server.guid)),
    })),
    testAllowance: { secondsLeft: testSecondsLeft(used) },
    viewToken: viewTokenForm.close(seal, actor.guid, now),
  }
}

function stateOf({ control, controlError }: StreamServer): StreamSettingsView['watch'][number]['state'] {
  if (controlError !== null) return 'failing'
  return control === null ? 'unknown' : 'reachable'
}

/** The words of a failure are for those who run the servers, as they may name hosts inside of a network. */
function failureOf(server: StreamServer, actor: SignedIn): StreamSettingsView['watch'][number]['failing'] {
  const { controlError, controlReason, controlFailingSince } = server
  if (controlError === null) return null
  return {
    since: formatInstant(controlFailingSince),
    reason: kindOf(controlReason),
    error: ownersAndDevelopers.allows(actor, {}) ? controlError : null,
  }
}

const kinds: Partial<Record<UnreachableReason, FailureKind>> = {
  too_large: 'unusable',
  invalid_answer: 'unusable',
  failing: 'unusable',
  limited: 'busy',
}
const kindOf = (reason: UnreachableReason | null): FailureKind => (reason && kinds[reason]) ?? 'unreachable'

function liveOf(arriving: Arriving | undefined): StreamSettingsView['watch'][number]['live'] {
  if (arriving === undefined) return null
  const { test, startedAt, health } = arriving
  return {
    test,
    since: formatInstant(startedAt),
    health: health === null ? null : { ...health, at: formatInstant(health.at) },
  }
}
