import type { Harness } from './harness.ts'
import type { MadeTournament } from './make.ts'

/** Targets and inputs for the commands of badge requests. */

/** @param completed three completed tournaments */
export async function badgeCommands(api: Harness, completed: readonly MadeTournament[]) {
  const [asking, changing, withdrawing] = completed
  if (asking === undefined || changing === undefined || withdrawing === undefined) throw new Error('three are needed')
  const [updated, withdrawn] = await Promise.all([request(api, changing), request(api, withdrawing)])
  const medium = await picture(api, asking)
  const badge = {
    name: 'Champion',
    description: 'Won the cup.',
    kind: 'placement',
    mediaGuid: medium,
    recipients: [{ user: (await api.user()).guid, label: '1st place', place: 1 }],
  }
  return {
    'badgeRequests.create': { in: asking, body: { message: 'For our champion.', badges: [badge] } },
    'badgeRequests.update': {
      in: changing,
      at: { badgeRequest: updated.guid },
      body: { message: 'For our champions.', expectedUpdatedAt: updated.updatedAt },
    },
    'badgeRequests.withdraw': { in: withdrawing, at: { badgeRequest: withdrawn.guid } },
  }
}

async function picture(api: Harness, { guid }: MadeTournament): Promise<string> {
  const [made] = await api.sql<{ guid: string }>(
    `insert into media (kind, name, owner_guid, tournament_guid, type, bytes, width, height, color, digest, upload_digest)
     values ('badge_image', 'badge.png', null, $1, 'image/webp', 44, 800, 300, '#204060', sha256('badge'),
       sha256(gen_random_uuid()::text::bytea)) returning guid`,
    [guid],
  )
  return made?.guid ?? ''
}

async function request(api: Harness, { guid }: MadeTournament): Promise<{ guid: string; updatedAt: string }> {
  const [made] = await api.sql<{ guid: string; at: Date }>(
    `insert into badge_requests (tournament_guid, status, message, badges) values ($1, 'pending', 'For us.', '[]')
     returning guid, updated_at as at`,
    [guid],
  )
  return { guid: made?.guid ?? '', updatedAt: made?.at.toISOString() ?? '' }
}
