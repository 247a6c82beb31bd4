import type { AssistantAddress } from '../../../infra/clients/assistant/types.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Seal } from '../../../infra/sealed.ts'
import { openText } from '../../../infra/sealed-text.ts'
import type { Services } from '../../../services.ts'
import { actorLost, newestVersionCode, tokenMissing } from './rules/links.ts'
import { sealPurposes } from './rules/secrets.ts'
import { findManager } from './store/managers.ts'
import type { AssistantLink } from './types.ts'

/** How a link is connected by: all that the wire's client asks for. */
export interface LinkOpening {
  readonly address: AssistantAddress
  /** Of the assistant's tournament. */
  readonly tournament: string
  readonly token: () => string
  readonly password: string
  readonly versionCode: number
}

/**
 * Opens what a link keeps sealed, and makes its token where that is of our making: one for each connection, good for half a
 * day. Whoever is told that it is no longer good asks for another opening. (AS2)
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

/** A secret of a link; null for none, and for one that was sealed by another installation, which must be given anew. */
export function openSecret(seal: Seal, name: keyof typeof sealPurposes, sealed: string | null): string | null {
  if (sealed === null) return null
  try {
    return openText(seal, sealPurposes[name], sealed)
  } catch {
    return null
  }
}

/** By which the assistant's hooks prove themselves; null where none was set. (AS26) */
export function hookSecretOf({ seal }: Pick<Services, 'seal'>, { sealedHookSecret }: AssistantLink): string | null {
  return openSecret(seal, 'hookSecret', sealedHookSecret)
}
