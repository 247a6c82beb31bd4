import { Type } from 'typebox'
import { anyone, everybody, signedIn } from '../../../core/actor.ts'
import { Answer, command, query } from '../../../core/operation.ts'
import { HtmlQuery, htmlOf, htmlProblems } from '../../../core/rendered.ts'
import { nullable } from '../../../core/schema.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Services } from '../../../services.ts'
import { ownersAndDevelopers } from '../../people/users/policy.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { playedTag } from '../../people/users/views.ts'
import { ChangesBody, MemberBody, SettingsBody } from './bodies.ts'
import { changePlatform, changeSettings, putMember, removeMember } from './commands/platforms.ts'
import { platformAdministrators, roleOn } from './policy.ts'
import type { SettingsContext } from './rules.ts'
import { countListed, countWaiting, listMembers, listPlatforms, listPlatformsFor, readSettings } from './store.ts'
import type { Platform, PlatformSettings } from './types.ts'
import {
  Member,
  memberView,
  OwnPlatform,
  PlatformView,
  platformsTag,
  platformView,
  SettingsView,
  settingsView,
} from './views.ts'

const list = query({
  name: 'platforms.list',
  method: 'GET',
  path: '/tournament-platforms',
  scope: 'public',
  allow: anyone,
  summary: 'All platforms that a tournament can ask, the system platform first.',
  description:
    'Circles of players and their sites, each with a public list of tournaments and a team that decides what stands on it. The system platform is the main listing.',
  reply: { 200: Type.Array(PlatformView) },
  audience: everybody,
  run: async ({ db, depends }) => {
    const platforms = await listPlatforms(db)
    depends(platformsTag, playedTag)
    const listed = await countListed(db, guidsOf(platforms))
    return platforms.map((platform) => platformView(platform, listed))
  },
})

const mine = query({
  name: 'platforms.mine',
  method: 'GET',
  path: '/tournament-platforms/mine',
  scope: 'rest:read',
  allow: signedIn,
  summary: 'Platforms that the caller reviews or administers.',
  description:
    'Owners and developers see all, with the role `global`; global tournament managers are reviewers of the system platform.',
  reply: { 200: Type.Array(OwnPlatform) },
  run: async ({ db, actor }) => {
    const rows = await listPlatformsFor(db, actor.guid, ownersAndDevelopers.allows(actor, {}))
    const own = rows.flatMap(({ platform, role: platformRole }) => {
      const role = roleOn({ ...actor, platformRole }, platform)
      return role === null ? [] : [{ platform, role }]
    })
    const guids = guidsOf(own.map(({ platform }) => platform))
    const [listed, waiting] = [await countListed(db, guids), await countWaiting(db, guids)]
    return own.map(({ platform, role }) => ({
      ...platformView(platform, listed),
      role,
      waiting: waiting.get(platform.guid) ?? 0,
    }))
  },
})

const read = query({
  name: 'platforms.read',
  method: 'GET',
  path: '/tournament-platforms/:platform',
  scope: 'public',
  allow: anyone,
  summary: 'The public record of a platform.',
  description: 'Name, description and pictures, without settings or members.',
  query: Type.Object(HtmlQuery),
  reply: { 200: PlatformView },
  problems: htmlProblems,
  audience: everybody,
  run: async ({ db, platform, query: { include }, services, depends }) => {
    depends(platform.guid, playedTag)
    const html = await htmlOf(services.markdown, include, platform)
    return { ...platformView(platform, await countListed(db, [platform.guid])), ...html }
  },
})

const update = command({
  name: 'platforms.update',
  method: 'PUT',
  path: '/tournament-platforms/:platform',
  scope: 'rest:write',
  allow: platformAdministrators,
  summary: 'Change the public record; what is not given stays.',
  description: 'The context id, by which addresses name the platform, stays as it was made.',
  body: ChangesBody,
  reply: { 200: PlatformView },
  problems: { 'platform.invalid': 400, 'media.reference_invalid': 400 },
  run: async ({ tx, actor, platform, body, services: { config }, now }) => {
    const around = { mediaUrl: config.media.url, now }
    const changed = await changePlatform(tx, actor, platform.guid, body, around)
    return platformView(changed, await countListed(tx, [changed.guid]))
  },
})

const settings = query({
  name: 'platforms.settings',
  method: 'GET',
  path: '/tournament-platforms/:platform/settings',
  scope: 'rest:read',
  allow: platformAdministrators,
  summary: 'Webhooks, subscribed events and the review team.',
  description: 'With who is on the team, in which role. The secret that signs what is sent is never returned.',
  reply: { 200: SettingsView },
  run: async ({ db, platform }) => showSettings(db, platform.guid, await readSettings(db, platform.guid)),
})

const updateSettings = command({
  name: 'platforms.updateSettings',
  method: 'PUT',
  path: '/tournament-platforms/:platform/settings',
  scope: 'rest:write',
  allow: platformAdministrators,
  summary: 'Change webhooks and subscribed events; what is not given stays.',
  description:
    'Webhooks that are set get what is subscribed from now on. What happened before the change is told as it was subscribed and set up then, at the address and with the secret of now. Try them with `POST /tournament-platforms/{platform}/webhooks/test`.',
  body: SettingsBody,
  strict: true,
  reply: { 200: SettingsView },
  problems: { 'platform.webhook_invalid': 400 },
  run: async ({ tx, actor, platform, body, services }) => {
    const changed = await changeSettings(tx, actor, platform.guid, body, contextOf(services))
    return showSettings(tx, platform.guid, changed)
  },
})

const addMember = command({
  name: 'platforms.addMember',
  method: 'POST',
  path: '/tournament-platforms/:platform/members',
  scope: 'rest:write',
  allow: platformAdministrators,
  summary: 'Add a member to the review team, or change the role of one.',
  description: 'Administrators change record, settings and members, and review as reviewers do.',
  body: MemberBody,
  reply: { 200: Member },
  problems: { 'user.unknown': 404, 'platform.limit_reached': 409 },
  run: async ({ tx, actor, platform, body, now }) => {
    const member = await putMember(tx, actor, platform.guid, body, now)
    const user = (await listUserFacts(tx, [member.userGuid])).get(member.userGuid)
    if (user === undefined) throw new Error('a member has no facts')
    return memberView(member, user)
  },
})

const dropMember = command({
  name: 'platforms.removeMember',
  method: 'DELETE',
  path: '/tournament-platforms/:platform/members/:user',
  scope: 'rest:write',
  allow: platformAdministrators,
  summary: 'Remove a member from the review team.',
  description: 'They lose what the membership let them do at once. Their decisions stay, with their name.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'member.unknown': 404 },
  run: async ({ tx, actor, platform, user }) => {
    await removeMember(tx, actor, platform.guid, user.guid)
    return new Answer(204)
  },
})

function guidsOf(platforms: readonly Platform[]): string[] {
  return platforms.map(({ guid }) => guid)
}

async function showSettings(db: Db, platformGuid: string, shown: PlatformSettings) {
  const members = await listMembers(db, platformGuid)
  const users = await listUserFacts(
    db,
    members.map(({ userGuid }) => userGuid),
  )
  return settingsView(shown, members, users)
}

function contextOf({ config }: Services): SettingsContext {
  return {
    chatApiUrl: config.chat.apiUrl,
    allowHttp: config.environment === 'local',
    allowPrivate: config.webhookAllowPrivate,
  }
}

export const platformsOperations = [list, mine, read, update, settings, updateSettings, addMember, dropMember]
