/** What a message says, whoever gets it. */
export interface Notice {
  /** `noun.reason`, by which a client tells what `data` holds. */
  readonly type: string
  readonly title: string
  readonly body: string
  /** GUIDs and words by which a client links to what the message is about. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface NewNotification extends Notice {
  readonly userGuid: string
}

export interface DatedNotification extends NewNotification {
  readonly createdAt: Date
}

export interface Notification extends Notice {
  readonly guid: string
  readonly readAt: Date | null
  readonly createdAt: Date
}

/** What messages name of a tournament. */
export interface NamedTournament {
  readonly guid: string
  readonly name: string
  readonly organiserGuid: string
}

export interface NamedTeam {
  readonly guid: string
  readonly name: string
  readonly tournament: { readonly guid: string; readonly name: string }
  readonly memberGuids: readonly string[]
}

/** A team that is called otherwise from now on. */
export interface Renaming {
  readonly teamGuid: string
  readonly from: string
  readonly to: string
}

/** A map in a pool that may still be played, and whose business that is. */
export interface StandingMap {
  readonly poolMapGuid: string
  /** Whether the key that its import told leads to another version, so that it is outdated rather than missing there. (D71) */
  readonly isLed: boolean
  readonly map: { readonly hash: string; readonly name: string | null }
  readonly pool: { readonly guid: string; readonly name: string }
  readonly tournament: { readonly guid: string; readonly name: string }
  readonly poolerGuids: readonly string[]
}
