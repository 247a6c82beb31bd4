import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { create, toBinary } from '@bufbuild/protobuf'
import { WebSocketServer } from 'ws'
import {
  Tournament_TournamentSettings_PoolSchema as PoolSchema,
  QualifierEventSchema,
  QualifierEvent_EventSettings as Settings,
  type Tournament,
} from '../../../src/infra/clients/assistant/generated/models_pb.ts'
import { type Packet, PacketSchema } from '../../../src/infra/clients/assistant/generated/packets_pb.ts'
import { selfSigned } from './certificate.ts'
import type { Desk } from './desk.ts'
import { Rules } from './faults.ts'
import { submit } from './lists.ts'
import { wireMap } from './maps.ts'
import { createPermissions } from './permissions.ts'
import { FakePlayer } from './players.ts'
import { Boards, entryOf } from './qualifiers.ts'
import { command, request } from './requests.ts'
import { SocketPeer, unauthorised } from './socket.ts'
import { createTokens } from './tokens.ts'
import type { AssistantOptions, FakeAssistant, FakeTournament, TournamentOptions } from './types.ts'
import { packetOf, type Seen } from './wire.ts'
import { type Peer, World } from './world.ts'

/**
 * A match assistant's server on loopback that behaves like the real one, with players whose games follow a script.
 *
 *     await using fake = await startFakeAssistant({ keys: { jwks: `${api.url}/.well-known/jwks.json` } })
 *     const ada = fake.player({ platformId: '76561190000000001', name: 'Ada' })
 *     ada.script.songs.push({ seconds: 0.3, score: 950_000 }, { completion: 'failed', score: 400_000 })
 *     // … the service connects to 127.0.0.1:{fake.port}, joins fake.tournament.guid, loads and plays …
 *     await fake.until(() => ada.count('command.playSong') === 1)
 *     fake.faults.add({ direction: 'sent', kind: 'push.songFinished' }, 'duplicate')
 *     await fake.restart()
 *
 * Behaviour: one binary frame is one packet. Each connection is a user with a new GUID. Versions must be equal. A bad
 * token is answered only by `discord_authorize`. A request without the permission fails with `permission_error`; a
 * command without it is silently dropped, and a command with it has no answer either. Events come before the answer to
 * the request that caused them, to all who have joined, including the sender. Each player answers `load_song` and
 * `show_prompt`, not the server. A user is added to a match as often as requested. Matches are in memory, and end with
 * their last user; a leader that has left stays the leader. `realtime_score` is sent to others than the players of the
 * match, only on change; `song_finished` to everybody on the server.
 *
 * Signed tokens of others are checked with `keys`; `bot()` creates tokens of the server; `readonly` is accepted
 * unchanged. Games with their own tokens may connect too, and are players.
 */
export async function startFakeAssistant(options: AssistantOptions = {}): Promise<FakeAssistant> {
  const waiting = new Set<() => void>()
  const changed = () => {
    for (const look of [...waiting]) look()
  }
  const permissions = createPermissions(() => {
    for (const { tournament } of world.rooms.values()) world.tellTournament(tournament)
  })
  const world = new World(permissions, changed)
  const tokens = createTokens(options.keys ?? [])
  const boards = new Boards()
  const rules = new Rules()
  const desk: Desk = { world, boards, version: options.version ?? 1310 }
  const received: Seen[] = []
  const sent: Seen[] = []
  const players: FakePlayer[] = []
  const sockets = new Set<SocketPeer>()
  let latencyMs = 0

  const addRoom = ({ name = 'A tournament', password = '', allowUnauthorizedView = true }: TournamentOptions) =>
    world.addTournament(name, password, allowUnauthorizedView)
  const room = addRoom(options)
  const { tournament } = room

  const act = (peer: Peer, packet: Packet) => {
    world.peers.set(peer.user.guid, peer)
    const { packet: body } = packet
    if (body.case === 'request') request(desk, peer, packet, body.value)
    else if (body.case === 'command') command(desk, peer, packet, body.value)
    else if (body.case === 'push' && body.value.data.case === 'songFinished') {
      world.tellAll({ case: 'push', value: body.value }, peer.user.guid)
    } else if (body.case === 'forwardingPacket' && body.value.packet !== undefined) {
      world.forward(peer, body.value.forwardTo, body.value.packet)
    }
    changed()
  }

  const secured = options.tls === true ? selfSigned : options.tls === false ? undefined : options.tls
  const open = async (port: number) => {
    const server = secured === undefined ? createServer() : createTlsServer(secured)
    const door = new WebSocketServer({ server, autoPong: false })
    door.on('connection', (socket, { socket: stream }) => {
      const setting = { world, tokens, rules, received, sent, act, latency: () => latencyMs }
      const peer = new SocketPeer(socket, stream, setting)
      sockets.add(peer)
      socket.on('close', () => {
        sockets.delete(peer)
        changed()
      })
      changed()
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return { server, door }
  }
  let listening = await open(0)
  const { port } = listening.server.address() as AddressInfo

  const shut = async () => {
    const { server, door } = listening
    for (const socket of sockets) {
      // Packets of the old connection must not reach the new one.
      socket.isHalfOpen = true
      socket.cut()
    }
    door.close()
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  const close = async () => {
    for (const player of players) player.close()
    await shut()
  }
  const matchOf = (guid: string) => {
    const match = tournament.matches.find((one) => one.guid === guid)
    if (match === undefined) throw new Error(`no match ${guid}`)
    return match
  }
  const toAll = (data: Uint8Array | string) => {
    for (const socket of sockets) socket.write(data)
  }

  const fake: FakeAssistant = {
    host: '127.0.0.1',
    port,
    url: `${secured === undefined ? 'ws' : 'wss'}://127.0.0.1:${port}`,
    fingerprint: secured === undefined ? null : fingerprintOf(secured.cert),
    get version() {
      return desk.version
    },
    set version(version) {
      desk.version = version
    },
    tournament: named(tournament),
    addTournament: (given) => named(addRoom(given).tournament),
    permissions,
    trust: tokens.trust,
    bot: (name = 'A bot') => tokens.addBot(name),
    player(given) {
      const player = new FakePlayer(world, room, given)
      players.push(player)
      return player
    },
    players,
    get matches() {
      return tournament.matches
    },
    get users() {
      return tournament.users
    },
    get qualifiers() {
      return tournament.qualifiers
    },
    get pools() {
      return tournament.settings?.pools ?? []
    },
    others: {
      createMatch: (users, leader = users[0] ?? '') => world.createMatch(tournament, users, leader),
      addUser: (guid, user) =>
        void world.changeMatch(tournament, matchOf(guid), ({ associatedUsers }) => associatedUsers.push(user)),
      removeUser: (guid, user) => world.removeFromMatch(tournament, matchOf(guid), user),
      setLeader: (guid, user) =>
        void world.changeMatch(tournament, matchOf(guid), (match) => {
          match.leader = user
        }),
      setMap: (guid, map) =>
        void world.changeMatch(tournament, matchOf(guid), (match) => {
          match.selectedMap = wireMap(map)
        }),
      deleteMatch: (guid) => world.deleteMatch(tournament, matchOf(guid)),
    },
    addQualifier({ name = 'A qualifier', maps, hideScores = false, sort = 0 }) {
      const flags = hideScores ? Settings.HideScoresFromPlayers : Settings.None
      const qualifierMaps = maps.map(wireMap)
      const event = create(QualifierEventSchema, { guid: crypto.randomUUID(), name, qualifierMaps, flags, sort })
      tournament.qualifiers.push(event)
      world.tellQualifier(tournament, event)
      return { guid: event.guid, name, maps: qualifierMaps.map(({ guid }) => guid) }
    },
    addPool(name, maps = []) {
      const pool = create(PoolSchema, { guid: crypto.randomUUID(), name, maps: maps.map(wireMap) })
      tournament.settings?.pools.push(pool)
      world.tellTournament(tournament)
      return pool
    },
    submit({ guid }, map, score) {
      const event = tournament.qualifiers.find((one) => one.guid === guid)
      if (event === undefined) throw new Error(`no qualifier ${guid}`)
      submit(desk, tournament, event, entryOf(guid, map, score))
    },
    boards,
    received,
    get tokens() {
      return new Set(received.map(({ packet }) => packet.token))
    },
    sent,
    get connections() {
      return sockets.size
    },
    faults: {
      add: (which, effect) => rules.add(which, effect),
      get latencyMs() {
        return latencyMs
      },
      set latencyMs(ms) {
        latencyMs = ms
      },
      halfOpen() {
        for (const socket of sockets) socket.isHalfOpen = true
      },
      garbage: () => toAll(Uint8Array.from({ length: 64 }, () => 0xff)),
      text: () => toAll('{"error":"not an assistant"}'),
      oversize: (bytes) => toAll(toBinary(PacketSchema, largePacket(bytes))),
      unknown() {
        // Field 99, a string; then an event with an unknown play state.
        toAll(Uint8Array.of(0x9a, 0x06, 0x01, 0x61))
        const user = { guid: 'unknown', playState: 77 as never, clientType: 42 as never }
        const value = { changedObject: { case: 'userAdded' as const, value: { tournamentId: tournament.guid, user } } }
        toAll(toBinary(PacketSchema, packetOf({ case: 'event', value })))
      },
      slowLoads(ms) {
        for (const { script } of players) script.download = { afterMs: ms }
      },
      cutAll() {
        for (const socket of sockets) socket.cut()
      },
      unauthorise() {
        for (const socket of sockets) socket.deliver(unauthorised())
      },
      clear() {
        rules.clear()
        latencyMs = 0
      },
    },
    async restart({ downMs = 0, withoutPlayers = false } = {}) {
      const online = players.filter(({ isConnected }) => isConnected)
      world.forget()
      await shut()
      if (downMs > 0) await wait(downMs)
      listening = await open(port)
      if (!withoutPlayers) for (const player of online) player.reconnect()
    },
    until(isSo, ms = 5_000) {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!isSo()) return
          waiting.delete(look)
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`not within ${ms} ms: ${isSo}`))
        }, ms)
        waiting.add(look)
        look()
      })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return fake
}

function named({ guid, settings }: Tournament): FakeTournament {
  return { guid, name: settings?.tournamentName ?? '' }
}

function fingerprintOf(cert: string): string {
  return new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase()
}

function largePacket(bytes: number): Packet {
  const value = { changedObject: { case: 'userAdded' as const, value: { tournamentId: 'x'.repeat(bytes) } } }
  return packetOf({ case: 'event', value })
}
