import { type Actor, firstParty } from '../../../core/actor.ts'
import { type Seal, type SealedForm, sealedForm } from '../../../infra/sealed.ts'
import { openText, sealText } from '../../../infra/sealed-text.ts'
import { viewTokenLifetime } from './rules.ts'
import type { StreamKey } from './types.ts'

const keyPurpose = 'stream-key'

export function sealKey(seal: Seal, key: string): string {
  return sealText(seal, keyPurpose, key)
}

/** The key itself, for tokens of the website alone: an application sees which there are. (S2, D40) */
export function shownKey(seal: Seal, actor: Actor, { sealed }: Pick<StreamKey, 'sealed'>): string | null {
  return firstParty.allows(actor, {}) ? openText(seal, keyPurpose, sealed) : null
}

/** What lets its bearer watch the tests of the user whose GUID it holds. (S5) */
export const viewTokenForm: SealedForm<string> = sealedForm('stream-view', viewTokenLifetime)
