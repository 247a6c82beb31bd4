/** What a finding is about; its page is where it is put right. */
export const subjectKinds = [
  'tournament',
  'team',
  'division',
  'match',
  'qualifier',
  'availability_sheet',
  'update',
] as const

export interface Subject {
  readonly kind: (typeof subjectKinds)[number]
  readonly guid: string
  readonly name: string
}

export const severities = ['error', 'warning'] as const

/** All findings by their stable codes: how bad it is, and the operation that helps, by its stable name. */
export const findingCodes = {
  'dates.missing': {
    severity: 'warning',
    action: 'tournaments.update',
    about: 'The tournament is public and has no start, or registration has no end.',
  },
  'dates.out_of_order': {
    severity: 'error',
    action: 'tournaments.update',
    about: 'Dates of the tournament are not in order.',
  },
  'spoilers.no_delay': {
    severity: 'warning',
    action: 'tournaments.update',
    about: 'Results are to be held back, and the delay is 0: everybody sees them at once.',
  },
  'status.behind': {
    severity: 'warning',
    action: 'tournaments.changeStatus',
    about: 'The start has passed and the tournament is not ongoing, or the end has passed and it is not completed.',
  },
  'field.unanswered': {
    severity: 'warning',
    action: 'registration.desk',
    about: 'A team with a place has not answered a required field.',
  },
  'team.ineligible': {
    severity: 'error',
    action: 'registration.desk',
    about: 'A team with a place no longer meets what registration asks.',
  },
  'division.no_bracket': {
    severity: 'warning',
    action: 'brackets.create',
    about: 'Registration is closed, and a division has no bracket, or the tournament has no division.',
  },
  'qualifier.closes_late': {
    severity: 'error',
    action: 'qualifiers.put',
    about: 'The qualifier closes after the first match.',
  },
  'qualifier.sync_failed': {
    severity: 'warning',
    action: 'qualifiers.synchronise',
    about: 'The last synchronisation of the qualifier failed; the scores before it are kept.',
  },
  'match.outside_dates': {
    severity: 'warning',
    action: 'matches.update',
    about: 'A match is scheduled before the start or after the end of the tournament.',
  },
  'match.before_feeder': {
    severity: 'error',
    action: 'matches.update',
    about: 'A match is scheduled before one that decides who plays in it.',
  },
  'match.late': {
    severity: 'warning',
    action: 'matches.start',
    about: 'A match was to begin more than 15 minutes ago.',
  },
  'sheet.overdue': {
    severity: 'warning',
    action: 'availability.replaceSheet',
    about: 'A sheet is open, and all times that it asks for have passed.',
  },
  'delivery.failed': {
    severity: 'error',
    action: 'updates.retryChat',
    about: 'An update did not reach the chat channel, or was not removed from there.',
  },
  'announcement.failed': {
    severity: 'error',
    action: 'tournaments.update',
    about: 'The last announcement did not reach its chat channel.',
  },
} as const satisfies Readonly<
  Record<string, { readonly severity: (typeof severities)[number]; readonly action: string; readonly about: string }>
>
export type FindingCode = keyof typeof findingCodes

export interface Finding {
  readonly code: FindingCode
  readonly subject: Subject
  /** Tells what is wrong. */
  readonly message: string
}

/** A record of the tournament that something may be wrong with. */
export interface Named {
  readonly guid: string
  readonly name: string
}

export type MatchFault = 'match.outside_dates' | 'match.before_feeder' | 'match.late'

export interface FaultyMatch {
  readonly fault: MatchFault
  readonly guid: string
  readonly number: number
  readonly division: string
  readonly scheduledAt: Date
}

export interface QualifierFacts {
  readonly guid: string
  readonly closesAt: Date | null
  readonly firstMatchAt: Date | null
  readonly lastError: string | null
}

export interface FailedDelivery {
  readonly updateGuid: string
  readonly title: string
  readonly status: 'failed' | 'removal_failed'
  readonly error: string | null
}

export interface FailedAnnouncement {
  readonly channel: string
  readonly error: string | null
}
