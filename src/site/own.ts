import english from '../../web/locales/en.json' with { type: 'json' }
import type { SitePage } from '../infra/http/site-pages.ts'

export type WordId = keyof typeof english

/** A page of the reader alone, or of what they look for, about which strangers are told nothing. */
export function own(path: string, title: WordId): SitePage {
  return { path, head: () => ({ title: english[title], isPrivate: true }) }
}

/** Pages about the reader. */
export const ofReader: readonly SitePage[] = [
  own('/new', 'new.title'),
  own('/claim', 'claim.title'),
  own('/me', 'me.agenda'),
  own('/me/profile', 'me.profile'),
  own('/me/notifications', 'me.notifications'),
  own('/me/settings', 'me.settings'),
  own('/users/@me/settings', 'me.settings'),
  own('/me/sessions', 'me.sessions'),
  own('/me/account', 'me.account'),
  own('/me/teams', 'me.teams'),
  own('/me/badges', 'me.badges'),
  own('/me/applications', 'applications.yours'),
  own('/me/applications/:application', 'sessions.application'),
  own('/me/streaming', 'me.streaming'),
  own('/me/media', 'media.title'),
]
