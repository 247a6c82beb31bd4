import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Flow } from '../../../engine/flows/flow.ts'
import { createdAt, guid } from '../../../infra/db/columns.ts'
import { brackets } from '../../brackets/brackets/tables.ts'
import { matches } from '../../brackets/matches/tables.ts'
import { tournaments } from '../../tournaments/tournaments/tables.ts'

export const flows = pgTable(
  'flows',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Name of the preset that the flow was made from. */
    basedOn: text(),
    seats: integer().notNull(),
    /** null for any best-of. */
    bestOf: integer(),
    /** The flow with all defaults filled in. */
    definition: jsonb().$type<Flow>().notNull(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    index('flows_listed').on(table.tournamentGuid, table.createdAt, table.guid),
    check('flows_seats', sql`${table.seats} between 2 and 16`),
    check('flows_best_of', sql`${table.bestOf} between 1 and 99 and ${table.bestOf} % 2 = 1`),
  ],
)

/** The default flow of a tournament's matches: a flow of the tournament, or a preset by name. */
export const flowPlans = pgTable(
  'flow_plans',
  {
    tournamentGuid: uuid()
      .primaryKey()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    revision: integer().notNull(),
    defaultFlowGuid: uuid().references(() => flows.guid),
    defaultPreset: text(),
  },
  (table) => [
    index('flow_plans_default').on(table.defaultFlowGuid),
    check('flow_plans_one_default', sql`num_nonnulls(${table.defaultFlowGuid}, ${table.defaultPreset}) <= 1`),
  ],
)

/** The exceptions from the default: flows for a match, a round of a bracket, or a whole bracket. */
export const plannedFlows = pgTable(
  'planned_flows',
  {
    guid: guid(),
    tournamentGuid: uuid()
      .notNull()
      .references(() => tournaments.guid, { onDelete: 'cascade' }),
    matchGuid: uuid().references(() => matches.guid, { onDelete: 'cascade' }),
    bracketGuid: uuid().references(() => brackets.guid, { onDelete: 'cascade' }),
    /** The key of a round, as in `bestOfByRound`: `upper:1`; null for the whole bracket. */
    round: text(),
    flowGuid: uuid().references(() => flows.guid),
    preset: text(),
  },
  (table) => [
    index('planned_flows_tournament').on(table.tournamentGuid),
    index('planned_flows_flow').on(table.flowGuid),
    uniqueIndex('planned_flows_match').on(table.matchGuid),
    uniqueIndex('planned_flows_round').on(table.bracketGuid, sql`coalesce(${table.round}, '')`),
    check('planned_flows_target', sql`num_nonnulls(${table.matchGuid}, ${table.bracketGuid}) = 1`),
    check('planned_flows_of_round', sql`${table.round} is null or ${table.bracketGuid} is not null`),
    check('planned_flows_one', sql`num_nonnulls(${table.flowGuid}, ${table.preset}) = 1`),
  ],
)
