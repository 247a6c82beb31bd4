import { Type } from 'typebox'
import { signedIn } from '../../../../core/actor.ts'
import { Answer, command, query } from '../../../../core/operation.ts'
import { missing } from '../../../../core/problem.ts'
import { nullable } from '../../../../core/schema.ts'
import { newTypedCode } from '../../../../infra/secrets.ts'
import { linkAccount, unlinkAccount } from '../commands/identities.ts'
import { askForAccount, chatProblems } from '../prepare.ts'
import { checkLinkable, checkUnlinkable } from '../rules/identities.ts'
import { listLinks } from '../store/links.ts'
import { findUserByGuid } from '../store/users.ts'
import { chatIdentityView, Identity, identityView } from '../views.ts'

const list = query({
  name: 'identities.list',
  method: 'GET',
  path: '/users/@me/identities',
  scope: 'rest:user:read',
  allow: signedIn,
  summary: 'The accounts of the signed-in user on other platforms, the chat account first.',
  description:
    'Links that are only claimed are among them, with the code that proves them where there is one; others see verified ones alone.',
  reply: { 200: Type.Array(Identity) },
  problems: { 'user.unknown': 404 },
  run: async ({ db, actor }) => {
    const [user, links] = await Promise.all([findUserByGuid(db, actor.guid), listLinks(db, actor.guid)])
    if (user === undefined) throw missing('user.unknown', 'There is no such user.')
    return [chatIdentityView(user), ...links.map(identityView)]
  },
})

const link = command({
  name: 'identities.link',
  method: 'PUT',
  path: '/users/@me/identities/:identity',
  scope: 'rest:user:write',
  allow: signedIn,
  budget: 'upload',
  summary: 'Link an account on a ranking or streaming platform, or prove that a linked one is the signed-in user’s.',
  description: `\`identity\` is \`ranking-a\`, \`ranking-b\` or \`streaming\`. One account can be linked on each: another one takes the place of what was linked before, verified or not. Only verified links are shown to others, name the user in addresses and count for requirements; an account that somebody else has verified is refused.

A ranking account must exist; where its platform has merged it into another one, that one is linked. It is verified at once where the platform names the user’s chat account. Otherwise the answer has a \`proofCode\`: put it into the profile text on the platform, as a word of its own, and call again. It is the same code for seven days. Tokens of a ranking platform are not accepted as \`proof\`, because they are issued to other applications than this service.

A streaming name means the same in any case and is answered in lower case. It is verified by \`proof\`: a token that the chat platform has issued to this service’s own application, with the scopes \`identify\` and \`connections\`, of a chat account with a verified connection to that streaming account. Without \`proof\` the link stays unproven and has no code, for there is no profile text that could be read.`,
  body: Type.Object(
    {
      externalId: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'ID on the ranking platform, or name of the streaming account.',
      }),
      proof: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2_000,
          description: 'For `streaming` alone: a token of the chat platform.',
        }),
      ),
    },
    { examples: [{ externalId: '76561198000000001' }] },
  ),
  reply: { 200: Identity },
  problems: {
    'user.unknown': 404,
    'identity.platform_invalid': 400,
    'identity.id_invalid': 400,
    'identity.account_unknown': 400,
    'identity.proof_refused': 400,
    'identity.taken': 409,
    'ranking.unreachable': 503,
    ...chatProblems,
  },
  prepare: async ({ clients, services, actor, identity, body: { externalId, proof }, now }) => {
    const { chatPlatformId } = actor
    const claim = { platform: checkLinkable(identity), externalId, proof, chatPlatformId }
    return askForAccount({ clients, services, now }, claim)
  },
  run: async ({ tx, actor, prepared: account, now }) =>
    identityView(await linkAccount(tx, actor, account, `downbeat-${newTypedCode()}`, now)),
})

const unlink = command({
  name: 'identities.unlink',
  method: 'DELETE',
  path: '/users/@me/identities/:identity',
  scope: 'rest:user:write',
  allow: signedIn,
  summary: 'Remove the link to an account, or the claim to one.',
  description: '`identity` is `ranking-a`, `ranking-b` or `streaming`; the chat identity cannot be removed.',
  reply: { 204: nullable(Type.String()) },
  problems: {
    'user.unknown': 404,
    'identity.platform_invalid': 400,
    'identity.chat_kept': 400,
    'identity.unknown': 404,
  },
  run: async ({ tx, actor, identity }) => {
    await unlinkAccount(tx, actor, checkUnlinkable(identity))
    return new Answer(204)
  },
})

export const identitiesOperations = [list, link, unlink]
