import { type FakeServer, startFakeServer } from './server.ts'

/** The game sign-ins of the ranking platforms: their proofs, as the stores of the games know them. */

interface ProvingPlayer {
  readonly id: string
  readonly name: string
  readonly avatar: string
}

export interface FakeGameSignIn extends FakeServer {
  /** The players by nonce or ticket; a proof may be used any number of times. */
  readonly proofs: Map<string, ProvingPlayer>
}

/** Its `url` replaces both addresses of ScoreSaber; `/auth` is its game sign-in. */
export async function startFakeScoreSaberSignIn(): Promise<FakeGameSignIn> {
  const proofs = new Map<string, ProvingPlayer>()
  const server = await startFakeServer({
    limited: () => ({ status: 429, body: { errorMessage: 'Rate limit exceeded' } }),
    answer({ method, path, body }) {
      const form = new URLSearchParams(body)
      if (method === 'POST' && path === '/auth') {
        const player = proofs.get(form.get('nonce') ?? '')
        const isTheirs = player !== undefined && player.id === form.get('playerId') && form.get('at') === '2'
        return isTheirs
          ? { status: 200, body: { a: `key-of-${player.id}`, e: 'server-key' } }
          : { status: 401, body: { errorMessage: 'Unauthorized' } }
      }
      const id = /^\/player\/(\d+)\/basic$/.exec(path)?.[1]
      const player = [...proofs.values()].find((one) => one.id === id)
      if (player === undefined) return { status: 404, body: { errorMessage: 'Player not found' } }
      return { status: 200, body: { id, name: player.name, profilePicture: player.avatar, badges: null } }
    },
  })
  return Object.assign(server, { proofs })
}

/** Its `url` replaces `https://api.beatleader.com`. */
export async function startFakeBeatLeaderSignIn(): Promise<FakeGameSignIn> {
  const proofs = new Map<string, ProvingPlayer>()
  const signIns = new Map<string, ProvingPlayer>()
  const server = await startFakeServer({
    limited: () => ({ status: 429, body: '' }),
    answer({ method, path, body, headers }) {
      if (method === 'POST' && path === '/signin') {
        const form = new URLSearchParams(body)
        const player = proofs.get(`${form.get('provider')}:${form.get('ticket')}`)
        if (player === undefined || form.get('returnUrl') !== '/') return { status: 401, body: '' }
        const key = `secret-${signIns.size}`
        signIns.set(key, player)
        const cookie = `.AspNetCore.Cookies=${key}; expires=Wed, 21 Oct 2099 07:28:00 GMT; path=/; secure; httponly`
        return { status: 200, headers: { 'set-cookie': cookie }, body: '' }
      }
      const key = /^\.AspNetCore\.Cookies=([\w-]+)$/.exec(headers.cookie ?? '')?.[1] ?? ''
      const player = path === '/user/modinterface' ? signIns.get(key) : undefined
      if (player === undefined) return { status: 401, body: '' }
      return { status: 200, body: { ...player, platform: 'steam', country: 'not set', pp: 0, role: '' } }
    },
  })
  return Object.assign(server, { proofs })
}
