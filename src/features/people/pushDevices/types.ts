/** The kinds of messages; each can be switched off on a device. (additions: Push) */
export const pushKindWords = {
  match_called: 'The user’s match is called.',
  match_starting: 'The user’s match starts within ten minutes.',
  opponent_ready: 'In a session of the user, another seat says that it is ready.',
  result_to_confirm: 'A map may be accepted or contested, or a result was proposed at a match where the user decides.',
  invitation: 'The user is invited to a team.',
  duty: 'The user is to work at a match or to stream, or that match starts within ten minutes.',
  sheet_closing: 'A sheet that the user has not answered closes within a day.',
  roster_problem: 'The user’s registered team has fewer members than it needs.',
} as const
export type PushKind = keyof typeof pushKindWords
export const pushKinds = Object.keys(pushKindWords) as readonly PushKind[]

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
  /** When it happened; now unless given. */
  readonly at?: Date
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
