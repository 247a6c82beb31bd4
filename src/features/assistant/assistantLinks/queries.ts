import type { AssistantAddress } from '../../../infra/clients/assistant/types.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Seal } from '../../../infra/sealed.ts'
import { openText } from '../../../infra/sealed-text.ts'
import type { Services } from '../../../services.ts'
import { actorLost, newestVersionCode, tokenMissing } from './rules/links.ts'
import { sealPurposes } from './rules/secrets.ts'
import { findManager } from './store.ts'
import type { AssistantLink } from './types.ts'

/** What the assistant client needs to connect by a link. */
export interface LinkOpening {
  readonly address: AssistantAddress
  /** GUID of the assistant's tournament. */
  readonly tournament: string
  readonly token: () => string
  readonly password: string
  readonly versionCode: number
}

/**
 * Opens a link's sealed secrets. A token that the service makes itself is minted for each connection and valid for half
 * a day. When the assistant refuses the token, the caller calls this again for a new one. (AS2)
 * @throws Problem `assistant.actor_lost`, `assistant.unauthorised`
 */
export async function openingOf(
  db: Db,
  services: Pick<Services, 'tokens' | 'seal'>,
  link: AssistantLink,
  now: Date,
): Promise<LinkOpening> {
  const { host, port, tls, certificate, assistantGuid, versionCode, sealedPassword } = link
  const token = await tokenOf(db, services, link, now)
  return {
    address: { host, port, tls, certificate },
    tournament: assistantGuid,
    token: () => token,
    password: openSecret(services.seal, 'password', sealedPassword) ?? '',
    versionCode: versionCode ?? newestVersionCode,
  }
}

async function tokenOf(
  db: Db,
  { tokens, seal }: Pick<Services, 'tokens' | 'seal'>,
  { tokenKind, sealedToken, actsAs, tournamentGuid }: AssistantLink,
  now: Date,
): Promise<string> {
  if (tokenKind === 'readonly') return 'readonly'
  if (tokenKind === 'bot') {
    const token = openSecret(seal, 'token', sealedToken)
    if (token === null) throw tokenMissing()
    return token
  }
  const manager = actsAs === null ? undefined : await findManager(db, tournamentGuid, actsAs)
  if (manager === undefined) throw actorLost()
  return (await tokens.issueForAssistants(manager, now)).token
}

/**
 * A link's secret in plain text. null if none is set, or if another installation sealed it; it must then be set again.
 */
export function openSecret(seal: Seal, name: keyof typeof sealPurposes, sealed: string | null): string | null {
  if (sealed === null) return null
  try {
    return openText(seal, sealPurposes[name], sealed)
  } catch {
    return null
  }
}

/** The secret that signs the assistant's webhooks; null if none is set. (AS26) */
export function hookSecretOf({ seal }: Pick<Services, 'seal'>, { sealedHookSecret }: AssistantLink): string | null {
  return openSecret(seal, 'hookSecret', sealedHookSecret)
}
