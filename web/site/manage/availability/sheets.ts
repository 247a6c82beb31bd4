import { getRouteApi } from '@tanstack/react-router'
import type { AvailabilitySheet, AvailabilityState } from '../../../../client/generated.ts'
import type { AvailabilitySheetInput } from '../../data/generated.ts'

/** Availability sheets as those who ask see them: what is typed into a form, and who may change which. */

export const route = getRouteApi('/manage/$tournament/availability')
export const from = '/manage/$tournament/availability'

/** Those who manage every role that a sheet asks may change it. */
export function mayChange({ audience, roles }: AvailabilitySheet, state: AvailabilityState): boolean {
  if (state.canManageTeams) return true
  return audience === 'staff' && roles.length > 0 && roles.every((role) => state.manageableRoles.includes(role))
}

export const statuses = ['available', 'maybe', 'would_rather_not', 'unavailable'] as const
export type Status = (typeof statuses)[number]

export interface Window {
  readonly startsAt: string | null
  readonly endsAt: string | null
}

export interface SheetValues {
  readonly audience: string
  readonly teamEligibility: string
  readonly title: string
  readonly description: string
  /** Of slots, as a choice has it. */
  readonly slotMinutes: string
  readonly mode: string
  readonly roles: readonly AvailabilitySheet['roles'][number][]
  readonly acceptedStatuses: readonly Status[]
  readonly windows: readonly Window[]
  readonly matchGuids: readonly string[]
  readonly closesAt: string | null
}

export function emptyValues(state: AvailabilityState): SheetValues {
  return {
    audience: state.canManageTeams ? 'teams' : 'staff',
    teamEligibility: 'both',
    title: '',
    description: '',
    slotMinutes: '30',
    mode: 'days',
    // Heads must name the roles that they ask.
    roles: state.canManageTeams ? [] : state.manageableRoles,
    acceptedStatuses: statuses,
    windows: [{ startsAt: null, endsAt: null }],
    matchGuids: [],
    closesAt: null,
  }
}

export function valuesOf(sheet: AvailabilitySheet): SheetValues {
  return {
    audience: sheet.audience,
    teamEligibility: sheet.teamEligibility,
    title: sheet.title,
    description: sheet.description ?? '',
    slotMinutes: String(sheet.slotMinutes),
    mode: sheet.mode === 'matches' ? 'matches' : 'days',
    roles: sheet.roles,
    acceptedStatuses: statuses.filter((status) => sheet.acceptedStatuses.includes(status)),
    windows: sheet.windows.map(({ startsAt, endsAt }) => ({ startsAt, endsAt })),
    matchGuids: sheet.matches.map(({ matchGuid }) => matchGuid),
    closesAt: sheet.closesAt,
  }
}

export function bodyOf(values: SheetValues, timezone: string): AvailabilitySheetInput {
  const { audience, teamEligibility, title, description, slotMinutes, mode, roles, acceptedStatuses, closesAt } = values
  const isForMatches = audience === 'staff' && mode === 'matches'
  return {
    audience: audience as 'staff' | 'teams',
    ...(audience === 'teams' && { teamEligibility: teamEligibility as 'registered' | 'qualified' | 'both' }),
    title,
    description: description === '' ? null : description,
    slotMinutes: Number(slotMinutes) as 15 | 30 | 60,
    acceptedStatuses,
    roles: audience === 'teams' ? [] : roles,
    timezone,
    closesAt,
    ...(isForMatches
      ? { mode: 'matches', matchGuids: values.matchGuids }
      : {
          mode: 'days',
          windows: values.windows.flatMap(({ startsAt, endsAt }) =>
            startsAt === null || endsAt === null ? [] : [{ startsAt, endsAt }],
          ),
        }),
  }
}

/** The state with a sheet as the service answered it; a new one comes first. */
export function withSheet(state: AvailabilityState, sheet: AvailabilitySheet): AvailabilityState {
  const isKnown = state.sheets.some(({ guid }) => guid === sheet.guid)
  return {
    ...state,
    sheets: isKnown ? state.sheets.map((each) => (each.guid === sheet.guid ? sheet : each)) : [sheet, ...state.sheets],
  }
}
