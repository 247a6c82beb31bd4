import type { AssistantUser } from '../../../../infra/clients/assistant/messages.ts'

/** How many changes are kept next to the base map before both are merged. */
const mostOver = 32

/**
 * All users at the assistant, by GUID, in the order of their arrival. The object is immutable: a change returns a new
 * one. A server may have hundreds of users, and every session gets each of their changes, so an update must not copy
 * the whole map.
 */
export class Users {
  static readonly none = new Users(new Map(), new Map())
  readonly #before: ReadonlyMap<string, AssistantUser>
  readonly #over: ReadonlyMap<string, AssistantUser>
  /** The number of users who are not in the base map. */
  readonly #added: number
  #all: readonly AssistantUser[] | null = null

  private constructor(before: ReadonlyMap<string, AssistantUser>, over: ReadonlyMap<string, AssistantUser>, added = 0) {
    this.#before = before
    this.#over = over
    this.#added = added
  }

  static of(users: readonly AssistantUser[]): Users {
    return new Users(new Map(users.map((user) => [user.guid, user])), new Map())
  }

  get size(): number {
    return this.#before.size + this.#added
  }

  get(guid: string): AssistantUser | undefined {
    return this.#over.get(guid) ?? this.#before.get(guid)
  }

  values(): readonly AssistantUser[] {
    this.#all ??= [...this.#whole().values()]
    return this.#all
  }

  with(user: AssistantUser): Users {
    const over = new Map(this.#over).set(user.guid, user)
    const added = this.#added + (this.get(user.guid) === undefined ? 1 : 0)
    const next = new Users(this.#before, over, added)
    return over.size <= mostOver ? next : new Users(next.#whole(), new Map())
  }

  without(guid: string): Users {
    if (this.get(guid) === undefined) return this
    const left = this.#whole()
    left.delete(guid)
    return new Users(left, new Map())
  }

  /** A user of the base map keeps their place in the order. */
  #whole(): Map<string, AssistantUser> {
    const whole = new Map(this.#before)
    for (const [guid, user] of this.#over) whole.set(guid, user)
    return whole
  }
}
