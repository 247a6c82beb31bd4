/** What a user may be told on a device; each kind can be switched off there. (additions: Push) */
export const pushKinds = [
  'match_called',
  'match_starting',
  'opponent_ready',
  'result_to_confirm',
  'invitation',
  'duty',
  'sheet_closing',
  'roster_problem',
] as const
export type PushKind = (typeof pushKinds)[number]

/** Local times of day, as `22:00`; a span that ends earlier than it begins goes over midnight. */
export interface QuietHours {
  readonly from: string
  readonly to: string
  /** IANA name. */
  readonly timezone: string
}

/** A browser's subscription to a push service. Its endpoint and keys are secret. */
export interface Subscription {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export interface PushDevice extends Subscription {
  readonly guid: string
  readonly userGuid: string
  readonly name: string | null
  readonly mutedKinds: readonly PushKind[]
  readonly quietHours: QuietHours | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** GUIDs of what a message is about, with which a client links there. */
export interface PushSubject {
  readonly tournamentGuid: string
  readonly matchGuid?: string
  readonly sessionGuid?: string
  readonly teamGuid?: string
  readonly invitationGuid?: string
  readonly assignmentGuid?: string
  readonly sheetGuid?: string
}

/** What happened, or is about to. */
export type Occasion =
  | 'match.called'
  | 'match.starting'
  | 'duty.starting'
  | 'duty.assigned'
  | 'opponent.ready'
  | 'result.proposed'
  | 'result.claimable'
  | 'invitation.created'
  | 'sheet.closing'
  | 'team.too_small'

/** What all devices of a user are told, unless their settings forbid it. */
export interface Push {
  readonly userGuid: string
  readonly occasion: Occasion
  readonly subject: PushSubject
  /** When it is no longer worth telling. */
  readonly until: Date
}

/** A message to one device, while it waits. Names are read when it is sent, so that none is kept here. */
export interface Message {
  readonly device: string
  readonly occasion: Occasion
  readonly subject: PushSubject
  /** ISO instant. */
  readonly until: string
  /** The number of attempts so far. */
  readonly attempts: number
}

/** A device with the names of what a message to it is about, as far as they may be told. */
export interface Addressed {
  readonly device: Pick<PushDevice, 'guid' | 'userGuid' | 'mutedKinds' | 'quietHours' | keyof Subscription>
  readonly tournament: string | null
  readonly teams: readonly string[]
}
