/** The content of a notification, without its recipient. */
export interface Notice {
  /** `noun.reason`; it tells a client what `data` contains. */
  readonly type: string
  readonly title: string
  readonly body: string
  /** GUIDs and words with which a client links to the subject of the notification. */
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

/** The data of a tournament that notifications show. */
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

/** A team with its old and its new name. */
export interface Renaming {
  readonly teamGuid: string
  readonly from: string
  readonly to: string
}

/** A map in a pool that may still be played, with the poolers to notify. */
export interface StandingMap {
  readonly poolMapGuid: string
  /**
   * Whether the key that the import named leads to another version, so that the map is outdated rather than missing.
   * (D71)
   */
  readonly isLed: boolean
  readonly map: { readonly hash: string; readonly name: string | null }
  readonly pool: { readonly guid: string; readonly name: string }
  readonly tournament: { readonly guid: string; readonly name: string }
  readonly poolerGuids: readonly string[]
}
