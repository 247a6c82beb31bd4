import { isSignedIn } from '../../../core/actor.ts'
import type { Operation } from '../../../core/operation.ts'
import { invalid, missing } from '../../../core/problem.ts'
import { isHeldOnSocket, type Scope } from '../../../core/scopes.ts'
import type { Db } from '../../db/database.ts'
import { type Credential, countingFor, scopeMissing } from '../../http/admission.ts'
import type { Rendered } from '../../http/answer.ts'
import { type Asking, newState } from '../../http/request.ts'
import type { Life } from '../../http/route.ts'
import type { Packet } from './packets.ts'

/** Runs commands that come over a socket: the same operations and the same kernel as over HTTP. (RT23) */

export class Commands {
  readonly #operations: ReadonlyMap<string, Operation>
  readonly #lifeOf: (operation: Operation) => Life
  readonly #db: Db

  constructor(operations: readonly Operation[], lifeOf: (operation: Operation) => Life, db: Db) {
    this.#db = db
    const marked = operations.filter((operation) => operation.kind === 'command' && operation.socket === true)
    this.#operations = new Map(marked.map((operation) => [operation.name, operation]))
    this.#lifeOf = lifeOf
  }

  /** @throws Problem `command.unknown` */
  find(name: string): Operation {
    const operation = this.#operations.get(name)
    if (operation === undefined) throw missing('command.unknown', 'There is no such command on the socket.')
    return operation
  }

  /**
   * @param verify verifies the caller's token again
   * @throws Problem as over HTTP
   */
  async run(
    operation: Operation,
    packet: Packet<'command'>,
    ip: string,
    verify: () => Promise<Credential>,
  ): Promise<Rendered> {
    const life = this.#lifeOf(operation)
    const asking = askingFor(operation, packet, ip)
    const judge = async (isFirst: boolean) => {
      const credential = countingFor(operation, await verify())
      if (isFirst) life.count(asking, credential.actor)
      const presented = forWriting(credential, operation)
      life.identify(asking, presented)
      Object.assign(asking.state, { actor: credential.actor, credential: presented })
      await life.judge(asking, this.#db)
    }
    try {
      await judge(true)
    } catch (error) {
      return life.refuse(asking, error)
    }
    return life.perform(asking, new Date(), () => judge(false))
  }
}

/**
 * Every command over a socket needs either `ws:write` or the command's own scope, each of which suffices alone. (RT23;
 * assistant: Operations)
 * @throws Problem `scope.missing`
 */
function forWriting(credential: Credential, { scope }: Operation): Credential {
  const { actor } = credential
  if (!isSignedIn(actor)) return credential
  if (!isHeldOnSocket(actor.scopes, scope, 'command')) throw scopeMissing('ws:write')
  return { ...credential, actor: { ...actor, scopes: new Set([...actor.scopes, scope as Scope]) } }
}

function askingFor(operation: Operation, packet: Packet<'command'>, ip: string): Asking {
  const { params = {}, query = {}, body, key, ifMatch } = packet
  if (ifMatch !== undefined && operation.headers?.properties['if-match'] === undefined) {
    throw invalid('command.if_match', 'This command takes no ifMatch; leave it out.')
  }
  const text = body === undefined ? '' : JSON.stringify(body)
  return {
    params: textsOf(params),
    query: textsOf(query),
    headers: {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    ip,
    cookies: {},
    body: { type: text === '' ? '' : 'application/json', bytes: Buffer.from(text) },
    url: '',
    state: newState(operation),
  }
}

/** The members as text, like parameters of an address. */
function textsOf(members: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]))
}
