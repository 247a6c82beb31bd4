/** How often its topic has told of an address. */
const told = new Map<string, number>()

/** Notes that the topic of an address has told its present state. */
export function noteTold(address: string): void {
  told.set(address, (told.get(address) ?? 0) + 1)
}

/**
 * Reads an answer. It may be older than what its topic has told meanwhile, and would stay in its place until the next
 * change: then what was told is kept. (W8)
 *
 * @param toldOf what was told last
 */
export async function newestOf<Body>(
  address: string,
  read: () => Promise<Body>,
  toldOf: () => Body | undefined,
): Promise<Body> {
  const before = told.get(address)
  const body = await read()
  return told.get(address) === before ? body : (toldOf() ?? body)
}
