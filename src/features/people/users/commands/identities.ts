import type { SignedIn } from '../../../../core/actor.ts'
import { missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { upsertProfiles } from '../../rankings/store.ts'
import { checkNotTaken, needsCode, nextStep } from '../rules/identities.ts'
import { deleteLink, findLink, isVerifiedByAnother, lockLinks, setClaim, setVerifiedLink } from '../store/links.ts'
import { lockUser } from '../store/users.ts'
import type { ExternalAccount, IdentityPlatform, Link } from '../types.ts'

/**
 * Links the actor to an account. The link is verified if the account is proven to be theirs, else it is a claim.
 * @param freshCode the code that the account's holder has to show, if a new one is needed
 * @throws Problem `identity.taken`
 */
export async function linkAccount(
  tx: Tx,
  actor: SignedIn,
  account: ExternalAccount,
  freshCode: string,
  now: Date,
): Promise<Link> {
  const { platform, externalId } = account
  await lockActor(tx, actor)
  await lockLinks(tx, platform)
  checkNotTaken(await isVerifiedByAnother(tx, account, actor.guid))
  const step = nextStep(await findLink(tx, actor.guid, platform), account, now)
  if (step.do === 'keep') return step.link
  if (account.profile !== null) await upsertProfiles(tx, [account.profile])
  if (step.do === 'verify') {
    await setVerifiedLink(tx, actor.guid, platform, externalId, now, step.verifiedAt)
  } else {
    await setClaim(tx, actor.guid, { platform, externalId }, needsCode(platform) ? freshCode : null, now)
  }
  const changed = await findLink(tx, actor.guid, platform)
  if (changed === undefined) throw new Error('a link that was set is not there')
  emit(tx, {
    type: step.do === 'verify' ? 'identity.linked' : 'identity.claimed',
    subject: actor.guid,
    actor: actor.guid,
    after: { platform },
  })
  return changed
}

/** @throws Problem `identity.unknown` */
export async function unlinkAccount(tx: Tx, actor: SignedIn, platform: IdentityPlatform): Promise<void> {
  await lockActor(tx, actor)
  if (!(await deleteLink(tx, actor.guid, platform))) {
    throw missing('identity.unknown', 'You have linked no account on this platform.')
  }
  emit(tx, { type: 'identity.unlinked', subject: actor.guid, actor: actor.guid, before: { platform } })
}

/** Locks the user, which serialises changes of their links. */
async function lockActor(tx: Tx, actor: SignedIn): Promise<void> {
  if ((await lockUser(tx, actor.guid)) === undefined) throw missing('user.unknown', 'There is no such user.')
}
