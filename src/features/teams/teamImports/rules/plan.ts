import { randomUUID } from 'node:crypto'
import { shortIdFault } from '../../../../core/ids.ts'
import { nameKeyOf, nameKeysOf } from '../../../../core/names.ts'
import { Problem } from '../../../../core/problem.ts'
import { oneLine } from '../../../../core/text.ts'
import { readTeamId, readTeamName } from '../../teams/rules/teams.ts'
import type { Existing, ExistingTeam, KnownPerson, PlannedRow, PlannedTeam, SheetPerson, SheetRow } from '../types.ts'
import { digestOfKey, isBareName, keyOf, nameOf, RowError } from './people.ts'
import { planRegistration } from './registering.ts'

/**
 * What a sheet would change, row by row. A row that cannot be used changes nothing, and does not keep the others from
 * being used. Known people are invited, since they must agree to be in a public team; unknown ones become
 * placeholders. (additions: People who are not here yet)
 */
export function planImport(rows: readonly SheetRow[], existing: Existing): readonly PlannedRow[] {
  const draft = new Draft(existing)
  return rows.map((row) => {
    try {
      const team = draft.plan(row)
      draft.keep(row, team)
      return { line: row.line, teamName: oneLine(row.teamName), team, reason: null }
    } catch (error) {
      if (error instanceof RowError || error instanceof Problem) {
        return { line: row.line, teamName: oneLine(row.teamName), team: null, reason: error.message }
      }
      throw error
    }
  })
}

/** The tournament as it would be after the rows so far. */
class Draft {
  readonly #existing: Existing
  readonly #byExternalId: Map<string, ExistingTeam>
  readonly #bySheetName: Map<string, ExistingTeam>
  readonly #byName = new Map<string, ExistingTeam>()
  readonly #byLook = new Map<string, ExistingTeam>()
  readonly #ids: Set<string>
  readonly #seeds: Map<number, string>
  /** The team of each person, by GUID, or by the mention of one who is unknown. */
  readonly #teamOf = new Map<string, string>()
  /** The line that has used a team. */
  readonly #lines = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #registered: number

  constructor(existing: Existing) {
    const { teams } = existing
    this.#existing = existing
    this.#registered = existing.registered
    this.#byExternalId = new Map(teams.flatMap((team) => (team.externalId === null ? [] : [[team.externalId, team]])))
    this.#bySheetName = new Map(teams.flatMap((team) => (team.sheetName === null ? [] : [[team.sheetName, team]])))
    this.#ids = new Set(teams.map(({ id }) => id))
    this.#seeds = new Map(teams.flatMap(({ seed, name }) => (seed === null ? [] : [[seed, name]])))
    for (const team of teams) {
      this.#name(team)
      for (const { userGuid } of team.members) this.#teamOf.set(userGuid, team.name)
    }
  }

  #name(team: ExistingTeam): void {
    this.#byName.set(nameKeyOf(team.name), team)
    for (const look of looksOf(team.name)) this.#byLook.set(look, team)
  }

  plan(row: SheetRow): PlannedTeam {
    const given = readTeamName(row.teamName)
    const sheetName = digestOfKey(nameKeyOf(given))
    const found = this.#find(row, given, sheetName)
    // Who has renamed the team since the same sheet keeps its name.
    const name = found?.sheetName === sheetName ? found.name : given
    if (found !== null && this.#lines.has(found.guid)) {
      throw new RowError(`Line ${this.#lines.get(found.guid)} has the same team.`)
    }
    const guid = found?.guid ?? randomUUID()
    const seed = this.#seedOf(row, found)
    const people = this.#people(row, guid, found)
    const team: PlannedTeam = {
      guid,
      found,
      id: found?.id ?? this.#idOf(row, name, guid),
      name,
      seed,
      externalId: row.externalId ?? found?.externalId ?? null,
      sheetName,
      ...people,
      answers: [],
      registers: false,
      waiver: row.waiver,
      isNamedAfterPerson: isNamedAfterPerson(row, given),
      notes: this.#notes(row),
    }
    return planRegistration(row, team, { ...this.#existing, registered: this.#registered })
  }

  /** Another team with this name, or one that looks the same, makes the row unusable, unless it is the row's own. */
  #find({ externalId }: SheetRow, name: string, sheetName: string): ExistingTeam | null {
    const own = externalId === null ? undefined : this.#byExternalId.get(externalId)
    const namesake = this.#byName.get(nameKeyOf(name))
    const alike =
      namesake ??
      looksOf(name)
        .map((look) => this.#byLook.get(look))
        .find((team) => team !== undefined)
    if (own !== undefined) {
      if (own.sheetName === sheetName || alike === undefined || alike.guid === own.guid) return own
      throw new RowError(`The name is that of “${alike.name}”, which is another team, or looks like it.`)
    }
    if (namesake !== undefined) {
      if (externalId === null || namesake.externalId === null) return namesake
      throw new RowError(`“${namesake.name}” has another \`externalId\`.`)
    }
    const renamed = externalId === null ? this.#bySheetName.get(sheetName) : undefined
    if (renamed !== undefined) return renamed
    if (alike === undefined) return null
    throw new RowError(`The name looks like “${alike.name}”, which is another team.`)
  }

  #idOf(row: SheetRow, name: string, guid: string): string {
    const { teamId } = row
    if (teamId !== null) {
      const id = readTeamId(teamId)
      if (this.#ids.has(id)) throw new RowError(`Another team has the id “${id}”.`)
      return id
    }
    // The id of a person's own team outlives their name.
    const slug = (isNamedAfterPerson(row, name) ? null : slugOf(name)) ?? `team-${guid.slice(0, 8)}`
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : `-${number}`
      const id = slug.slice(0, 32 - suffix.length).replace(/-+$/, '') + suffix
      if (!this.#ids.has(id)) return id
    }
  }

  #seedOf({ seed }: SheetRow, found: ExistingTeam | null): number | null {
    if (seed === null || seed === found?.seed) return null
    const holder = this.#seeds.get(seed)
    if (holder === undefined) return seed
    throw new RowError(`Seed ${seed} belongs to “${holder}”.`)
  }

  /** The row's new members and invitations, and the captain of a new team. */
  #people(row: SheetRow, teamGuid: string, found: ExistingTeam | null) {
    const { tournament, actorGuid } = this.#existing
    const placeholders: { guid: string; name: string; person: SheetPerson }[] = []
    const joins: string[] = []
    const invites: { userGuid: string; standInGuid: string | null }[] = []
    const mentions: { mention: string; userGuid: string }[] = []
    let captainGuid = found?.captainGuid ?? ''
    const place = (person: SheetPerson, name = nameOf(person)) => {
      const guid = randomUUID()
      placeholders.push({ guid, name, person })
      return guid
    }
    for (const person of [row.captain, ...row.members]) {
      const isCaptain = person === row.captain && found === null
      const mention = digestOfKey(keyOf(person))
      if (this.#existing.mentions.has(`${teamGuid} ${mention}`)) continue
      const known = this.#known(person)
      const guid = known?.guid ?? this.#namesakeIn(found, person)
      const isMember = guid !== null && found?.members.some(({ userGuid }) => userGuid === guid) === true
      const isSet =
        known === null || known.isPlaceholder || guid === actorGuid || (isCaptain && tournament.status === 'draft')
      let userGuid = guid
      if (!isMember) {
        this.#checkFree(guid ?? (isBareName(person) ? null : mention), person)
        if (userGuid === null) userGuid = place(person)
        else if (isSet) joins.push(userGuid)
        else if (!found?.invited.has(userGuid)) {
          const standInGuid = isCaptain ? place({ ...noAccount, name: known?.name ?? null }) : null
          invites.push({ userGuid, standInGuid })
          if (standInGuid !== null) captainGuid = standInGuid
        }
      }
      if (isCaptain && isSet) captainGuid = userGuid as string
      mentions.push({ mention, userGuid: userGuid as string })
    }
    const members = (found?.members.length ?? 0) + placeholders.length + joins.length
    const waiting = invites.filter(({ standInGuid }) => standInGuid === null).length
    if (members + waiting > tournament.teamSizeMax) {
      throw new RowError(`The team would have more than ${tournament.teamSizeMax} members.`)
    }
    return { captainGuid, placeholders, joins, invites, mentions }
  }

  #known(person: SheetPerson): KnownPerson | null {
    const found = [
      person.chatPlatformId === null ? undefined : this.#existing.people.get(`chat:${person.chatPlatformId}`),
      person.rankingIdA === null ? undefined : this.#existing.people.get(`a:${person.rankingIdA}`),
      person.rankingIdB === null ? undefined : this.#existing.people.get(`b:${person.rankingIdB}`),
    ].filter((each) => each !== undefined)
    const [first] = found
    if (first === undefined) return null
    if (found.some(({ guid }) => guid !== first.guid)) {
      throw new RowError(`The IDs of ${nameOf(person)} belong to different people.`)
    }
    if (first.isBanned) throw new RowError(`${nameOf(person)} cannot take part.`)
    return first
  }

  /** The member of the team who has the bare name. */
  #namesakeIn(found: ExistingTeam | null, person: SheetPerson): string | null {
    if (!isBareName(person)) return null
    const key = nameKeyOf(nameOf(person))
    return found?.members.find(({ name }) => nameKeyOf(name) === key)?.userGuid ?? null
  }

  #checkFree(key: string | null, person: SheetPerson): void {
    const other = key === null ? undefined : this.#teamOf.get(key)
    if (other !== undefined) throw new RowError(`${nameOf(person)} is in “${other}” already.`)
  }

  /** The same name in two teams may be two people, so that it is only told. */
  #notes(row: SheetRow): string[] {
    return [row.captain, ...row.members].filter(isBareName).flatMap((person) => {
      const other = this.#names.get(keyOf(person))
      return other === undefined ? [] : [`“${nameOf(person)}” is a name in “${other}”, too.`]
    })
  }

  keep(row: SheetRow, team: PlannedTeam): void {
    const { guid, found, id, name, seed } = team
    this.#lines.set(guid, row.line)
    this.#ids.add(id)
    if (found !== null && found.seed !== null && seed !== null) this.#seeds.delete(found.seed)
    if (seed !== null) this.#seeds.set(seed, name)
    if (team.registers) this.#registered++
    const now: ExistingTeam = {
      ...(found ?? newTeam),
      guid,
      id,
      name,
      externalId: team.externalId,
      sheetName: team.sheetName,
    }
    if (row.externalId !== null) this.#byExternalId.set(row.externalId, now)
    if (found !== null) {
      this.#byName.delete(nameKeyOf(found.name))
      for (const look of looksOf(found.name)) this.#byLook.delete(look)
    }
    this.#name(now)
    for (const { mention, userGuid } of team.mentions) {
      this.#teamOf.set(userGuid, name).set(mention, name)
    }
    for (const person of [row.captain, ...row.members].filter(isBareName)) this.#names.set(keyOf(person), name)
  }
}

function isNamedAfterPerson({ captain, members }: SheetRow, name: string): boolean {
  return [captain, ...members].some((person) => nameKeyOf(nameOf(person)) === nameKeyOf(name))
}

/** Keys of a name; names that look alike share at least one. (D73) */
function looksOf(name: string): string[] {
  const { nameKey, nameLook } = nameKeysOf(name)
  return [`key ${nameKey}`, `look ${nameLook}`]
}

const noAccount: SheetPerson = { chatPlatformId: null, rankingIdA: null, rankingIdB: null, name: null }

const newTeam: Omit<ExistingTeam, 'guid' | 'id' | 'name'> = {
  captainGuid: '',
  status: 'unregistered',
  seed: null,
  withdrawnAt: null,
  externalId: null,
  sheetName: null,
  members: [],
  invited: new Set(),
}

/** The short id that a name makes; null where nothing of it can stand in one. */
function slugOf(name: string): string | null {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-+|-+$/g, '')
  return slug !== '' && shortIdFault(slug) === null ? slug : null
}
