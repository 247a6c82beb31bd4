import type { SitePage } from '../infra/http/site-pages.ts'
import { textOf, type WordId } from './words.ts'

/** A page of the reader alone, or of what they look for, about which strangers are told nothing. */
export function own(path: string, title: WordId, more: Partial<SitePage> = {}): SitePage {
  return { path, head: () => ({ title: textOf(title), isPrivate: true }), ...more }
}

/** Pages about the reader. */
export const ofReader: readonly SitePage[] = [
  own('/new', 'new.title'),
  own('/new/package', 'bring.title'),
  own('/claim', 'claim.title'),
  own('/me', 'me.agenda'),
  own('/me/profile', 'me.profile'),
  own('/me/notifications', 'me.notifications'),
  own('/me/settings', 'me.settings'),
  own('/users/@me/settings', 'me.settings'),
  own('/me/sessions', 'me.sessions'),
  own('/me/account', 'me.account'),
  own('/me/teams', 'me.teams'),
  own('/me/tournaments', 'me.teams'),
  own('/me/badges', 'me.badges'),
  own('/me/applications', 'applications.yours'),
  own('/me/applications/:application', 'sessions.application'),
  own('/me/streaming', 'me.streaming'),
  own('/me/media', 'media.title'),
  own('/review', 'review.title'),
  own('/review/:platform', 'review.requests'),
  own('/platforms/:platform/manage', 'managing.title'),
]

/** Pages of those who run a tournament. */
export const ofStaff: readonly SitePage[] = [
  own('/manage/:tournament', 'manage.overview'),
  own('/manage/:tournament/settings', 'manage.settings'),
  own('/manage/:tournament/registration', 'manage.registration'),
  own('/manage/:tournament/registration/import', 'import.title'),
  own('/manage/:tournament/teams/:team', 'manage.team'),
  own('/manage/:tournament/staff', 'manage.staff'),
  own('/manage/:tournament/timeline', 'manage.timeline'),
  own('/manage/:tournament/visibility', 'manage.visibility'),
  own('/manage/:tournament/live', 'manage.live'),
  own('/manage/:tournament/live/:match', 'cockpit.title'),
  own('/manage/:tournament/live/:match/caster', 'caster.title'),
  own('/manage/:tournament/availability', 'manage.availability'),
  own('/manage/:tournament/schedule', 'manage.schedule'),
  own('/manage/:tournament/streams', 'manage.streams'),
  own('/manage/:tournament/overlays', 'manage.overlays'),
  own('/overlay/control/:overlay', 'control.title', { showsOverlay: true }),
  own('/coordinate/:tournament/:overlay', 'coordinate.title', { showsOverlay: true }),
  own('/overlay/manage/:tournament/:overlay', 'editor.title', { hasFonts: true }),
  own('/manage/:tournament/media', 'manage.media'),
  own('/manage/:tournament/badges', 'manage.badges'),
  own('/manage/:tournament/brackets', 'draw.title'),
  own('/manage/:tournament/brackets/:bracket/seeding', 'seeding.title'),
  own('/manage/:tournament/qualifier', 'manage.qualifier'),
  own('/manage/:tournament/pools', 'manage.pools'),
  own('/manage/:tournament/pools/:pool', 'manage.pools'),
  own('/manage/:tournament/pools/:pool/import', 'manage.pools-import'),
  own('/manage/:tournament/flows', 'manage.flows'),
  own('/manage/:tournament/flows/:flow', 'manage.flow'),
  own('/manage/:tournament/assistant', 'manage.assistant'),
  own('/manage/:tournament/updates', 'manage.updates'),
  own('/manage/:tournament/announcements', 'manage.announcements'),
  own('/manage/:tournament/audit', 'manage.audit'),
  own('/manage/:tournament/package', 'manage.package'),
  own('/manage/:tournament/rehearsal', 'manage.rehearsal'),
  own('/manage/:tournament/rehearsal/:rehearsal', 'rehearse.title'),
  own('/manage/:tournament/deliveries', 'manage.deliveries'),
]

/** Pages of administration. */
export const ofAdministration: readonly SitePage[] = [
  own('/admin', 'admin.health'),
  own('/admin/users', 'admin.users'),
  own('/admin/users/:user', 'admin.user'),
  own('/admin/platforms', 'admin.platforms'),
  own('/admin/notices', 'admin.notices'),
  own('/admin/awards', 'awards.title'),
  own('/admin/awards/:edition', 'awards.title'),
  own('/admin/badges', 'badges.title'),
  own('/admin/badges/:badge', 'badges.title'),
  own('/admin/media', 'admin-media.title'),
  own('/admin/streaming', 'admin-streaming.title'),
]
