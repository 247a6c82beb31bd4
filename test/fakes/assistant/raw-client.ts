import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect } from 'vitest'
import { WebSocket } from 'ws'

/** A client that reads and writes bytes without the generated code, from the table of the wire format. */

/** Members by field number: text, varints, and messages encoded as bytes. */
export type Fields = readonly (readonly [number, string | number | boolean | Buffer])[]

function varint(value: number): Buffer {
  const bytes = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80)
  return Buffer.from([...bytes, rest])
}

export function message(...fields: Fields): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number' || typeof value === 'boolean') return [varint(number * 8), varint(Number(value))]
      const bytes = Buffer.from(value as string)
      return [varint(number * 8 + 2), varint(bytes.length), bytes]
    }),
  )
}

export class Read {
  readonly #fields = new Map<number, (Buffer | number)[]>()

  constructor(bytes: Buffer) {
    let at = 0
    const next = () => {
      let value = 0
      for (let factor = 1; ; factor *= 128) {
        const byte = bytes[at++] as number
        value += (byte & 0x7f) * factor
        if (byte < 0x80) return value
      }
    }
    const take = (length: number) => {
      at += length
      return bytes.subarray(at - length, at)
    }
    while (at < bytes.length) {
      const tag = next()
      const kind = tag % 8
      const value = kind === 0 ? next() : kind === 1 ? take(8) : kind === 5 ? take(4) : take(next())
      const number = Math.floor(tag / 8)
      this.#fields.set(number, [...(this.#fields.get(number) ?? []), value])
    }
  }

  has(number: number): boolean {
    return this.#fields.has(number)
  }

  all(number: number): Buffer[] {
    return (this.#fields.get(number) ?? []) as Buffer[]
  }

  number(number: number): number {
    return (this.#fields.get(number)?.at(-1) ?? 0) as number
  }

  text(number: number): string {
    return this.all(number).at(-1)?.toString() ?? ''
  }

  texts(number: number): string[] {
    return this.all(number).map(String)
  }

  /** The member at a path of field numbers. */
  in(...path: readonly number[]): Read {
    const [first, ...rest] = path
    if (first === undefined) return this
    const member = this.all(first).at(-1)
    if (member === undefined) throw new Error(`nothing in ${first}`)
    return new Read(member).in(...rest)
  }

  every(number: number): Read[] {
    return this.all(number).map((bytes) => new Read(bytes))
  }
}

/** The server that the client connects to. */
interface Server {
  readonly url: string
  readonly tournament: { readonly guid: string }
}

/** Fields of packets: 6 command, 7 push, 8 request, 9 response, 10 event, 11 heartbeat. */
export class Client {
  readonly packets: Read[] = []
  readonly socket: WebSocket
  self = ''
  readonly #token: string
  readonly #tournament: string

  private constructor(socket: WebSocket, token: string, tournament: string) {
    this.socket = socket
    this.#token = token
    this.#tournament = tournament
    socket.on('message', (data) => this.packets.push(new Read(data as Buffer)))
    socket.on('error', () => {})
  }

  static async open(server: Server, token: string): Promise<Client> {
    const socket = new WebSocket(server.url, { rejectUnauthorized: false })
    const client = new Client(socket, token, server.tournament.guid)
    await once(socket, 'open')
    return client
  }

  send(...packet: Fields): string {
    const id = randomUUID()
    this.socket.send(message([1, this.#token], [2, id], [3, this.self], ...packet))
    return id
  }

  /** @returns the id of the packet */
  post(type: number, ...fields: Fields): string {
    return this.send([8, message([type, message(...fields)])])
  }

  order(...fields: Fields): void {
    this.send([6, message([11, this.#tournament], ...fields)])
  }

  /** The first matching packet, among those received and those still to come. */
  async find(fits: (packet: Read) => boolean): Promise<Read> {
    await expect.poll(() => this.packets.some(fits), { interval: 5 }).toBe(true)
    return this.packets.find(fits) as Read
  }

  async answered(id: string, from?: string): Promise<Read> {
    const packet = await this.find(
      (one) => one.has(9) && one.in(9).text(2) === id && (from === undefined || one.text(3) === from),
    )
    return packet.in(9)
  }

  /** Sends a request within the tournament, and waits for the answer. */
  async ask(type: number, ...fields: Fields): Promise<Read> {
    return this.answered(this.post(type, ...fields))
  }

  async join(password = ''): Promise<Read> {
    await this.ask(36, [1, 1310], [2, 1])
    const answer = await this.ask(37, [1, this.#tournament], [2, password])
    if (answer.number(1) === 1) this.self = answer.in(15).text(2)
    return answer
  }

  pushes(kind: number): Read[] {
    return this.packets.filter((packet) => packet.has(7) && packet.in(7).has(kind)).map((packet) => packet.in(7, kind))
  }

  events(kind: number): Read[] {
    return this.packets
      .filter((packet) => packet.has(10) && packet.in(10).has(kind))
      .map((packet) => packet.in(10, kind))
  }
}
