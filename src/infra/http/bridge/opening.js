// How the page of the bridge learns whose it is and of which match: by an operator's ticket, or by the website's sign-in. (AS30)

import { connect } from './client/connect.ts'
import { openTicket, SocketSender, TicketSender } from './senders.ts'

/** What the address asks for, unless it brings a ticket. */
const asked = new URLSearchParams(location.search)
const [tournament, match, division] = ['tournament', 'match', 'division'].map((name) => asked.get(name)?.trim() ?? '')

export const isNamed = tournament !== '' && match !== ''

/** Under which the tab keeps an operator's ticket. */
const kept = 'ticket'

/** What the tab keeps; null where the browser keeps nothing. */
function storage() {
  try {
    return sessionStorage
  } catch {
    return null
  }
}

/** The operator's ticket: it leaves the address bar at once, and is there for as long as the tab is. */
export function takeTicket() {
  const given = new URLSearchParams(location.hash.slice(1)).get('ticket')?.trim() ?? ''
  if (given !== '') {
    history.replaceState(null, '', location.pathname + location.search)
    storage()?.setItem(kept, given)
    return given
  }
  // A match in the address is the one that is opened.
  return isNamed ? null : (storage()?.getItem(kept) ?? null)
}

// A link to this page that is opened in it loads nothing by itself.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#ticket=')) location.reload()
})

function teamNames({ sides }) {
  return sides.map(({ team }) => team?.name ?? 'to be decided').join(' – ')
}

/** @returns the player, their proven accounts, the match, and what makes the sender */
export async function openByTicket(ticket) {
  try {
    const opened = await openTicket(ticket)
    const { user: me, accounts, match: found } = opened
    return {
      me,
      found,
      accounts: new Set(accounts),
      words: `You are ${me.preferredName}, in match ${found.number} of ${opened.tournament.name}: ${teamNames(found)}.`,
      senderOf: (listener) => new TicketSender(ticket, listener),
    }
  } catch (error) {
    if (error.code === 'bridge.ticket_invalid') storage()?.removeItem(kept)
    throw error
  }
}

/** A token of the signed-in user; null if nobody is signed in. */
export async function newToken() {
  const reply = await fetch('/api/auth/token', { method: 'POST' })
  if (reply.status === 401) return null
  if (!reply.ok) throw new Error(await reply.text())
  return (await reply.json()).token
}

async function ask(path, token) {
  const reply = await fetch(`/api${path}`, { headers: { authorization: `Bearer ${token}`, accept: 'text/plain' } })
  if (!reply.ok) throw new Error((await reply.text()).slice(0, 500))
  return reply.json()
}

/** The same as by a ticket. */
export async function openSignedIn(token) {
  const path = `/tournaments/${encodeURIComponent(tournament)}/matches/${encodeURIComponent(match)}`
  const query = division === '' ? '' : `?${new URLSearchParams({ division })}`
  const [me, identities, found] = await Promise.all([
    ask('/users/@me', token),
    ask('/users/@me/identities', token),
    ask(path + query, token),
  ])
  return {
    me,
    found,
    accounts: accountsOf(identities),
    words: `You are ${me.preferredName}, in match ${found.number}: ${teamNames(found)}.`,
    senderOf: (listener) => connectFor(me, found, token, listener),
  }
}

/** Accounts of games that are proven to be the user's. */
function accountsOf(identities) {
  const list = Array.isArray(identities) ? identities : identities.identities
  const games = list.filter(({ platform, verifiedAt }) => platform.startsWith('ranking-') && verifiedAt !== null)
  return new Set(games.map(({ externalId }) => externalId))
}

function connectFor(me, found, firstToken, listener) {
  let token = firstToken
  const client = connect({
    url: document.body.dataset.socket,
    async token() {
      const given = token ?? (await newToken())
      token = null
      return given
    },
    onStatus: ({ state }) => listener.onStatus(state),
    onError: (error) => listener.onRefusal(error),
  })
  return new SocketSender(client, { tournament, match: found.guid, user: me.guid }, listener)
}
