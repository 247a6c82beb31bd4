import { globalRoles, platformRoles, tournamentRoles } from '../src/core/roles.ts'
import type { Caller, Harness } from './harness.ts'
import { grantRole, platformMember } from './make.ts'
import type { World } from './world.ts'

type Who = (api: Harness, world: World) => Promise<Caller | null> | Caller | null

const everybody: Readonly<Record<string, Who>> = {
  anonymous: () => null,
  'signed in': (api) => api.user(),
  'invited user': (_api, world) => world.invited,
  'team member': (_api, world) => world.member,
  captain: (_api, world) => world.captain,
  ...Object.fromEntries(
    tournamentRoles.map((role): [string, Who] => [
      role.replace('role:', ''),
      async (api, world) => {
        const holder = await api.user()
        await grantRole(api, world.tournament, holder, role)
        return holder
      },
    ]),
  ),
  organiser: (_api, world) => world.organiser,
  ...Object.fromEntries(
    platformRoles.map((role): [string, Who] => [
      `platform ${role}`,
      (api, world) => platformMember(api, world.platform, role),
    ]),
  ),
  ...Object.fromEntries(globalRoles.map((role): [string, Who] => [role, (api) => api.user({ globalRoles: [role] })])),
}

/** All kinds of callers in a world. */
export const kindsOfCaller: readonly string[] = Object.keys(everybody)

/** A caller of a kind; null for one without a token. */
export async function callerIn(api: Harness, world: World, kind: string): Promise<Caller | null> {
  const who = everybody[kind]
  if (who === undefined) throw new Error(`nobody is ${kind}`)
  return who(api, world)
}

/** A caller of each kind; null for one without a token. */
export async function callersIn(api: Harness, world: World): Promise<Readonly<Record<string, Caller | null>>> {
  const made = kindsOfCaller.map(async (kind) => [kind, await callerIn(api, world, kind)] as const)
  return Object.fromEntries(await Promise.all(made))
}
