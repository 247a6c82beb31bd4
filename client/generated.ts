// biome-ignore-all format: generated
/**
 * What topics show, and what commands take and answer. Made of the records of the operations by `npm run generate`; do not
 * edit.
 */

/** Bodies, by the topics' names. */
export interface Topics {
  /** The organiser and all who hold a role in the tournament. */
  readonly '/tournaments/{tournament}/staff': readonly StaffGroup[]
  /** What the caller is, and may do, in the tournament. */
  readonly '/tournaments/{tournament}/access': TournamentAccess
  /** The signed-in user’s notifications, newest first. */
  readonly '/users/@me/notifications': {
    readonly notifications: readonly Notification[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** Listed tournaments, newest start first. */
  readonly '/tournaments': {
    readonly tournaments: readonly ListedTournament[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** Who changed what in the tournament, newest first. */
  readonly '/tournaments/{tournament}/audit': {
    readonly entries: readonly AuditEntry[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** The record of a tournament, with parts of it where `include` asks for them. */
  readonly '/tournaments/{tournament}': TournamentWithParts
  /** The timeline of the tournament, ordered by start. */
  readonly '/tournaments/{tournament}/timelineEvents': readonly TimelineEvent[]
  /** How far the public is behind, in a tournament whose `spoilerMode` is `held`: for its staff. */
  readonly '/tournaments/{tournament}/horizon': Horizon
  /** The notices that are shown to the caller now: the most urgent first, then in the order in which they start. */
  readonly '/notices': readonly Notice[]
  /** Requests to a platform with their tournaments, newest first. */
  readonly '/tournament-platforms/{platform}/requests': {
    readonly requests: readonly ReviewedRequest[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** What was, or is to be, told to the platform’s receivers, with every attempt; newest first. */
  readonly '/tournament-platforms/{platform}/deliveries': {
    readonly deliveries: readonly WebhookDelivery[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** The updates of the tournament, newest first. */
  readonly '/tournaments/{tournament}/updates': {
    readonly updates: readonly ListedTournamentUpdate[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
    /** For those who may post alone. */
    readonly canPost?: boolean
    /** For those who may post alone. */
    readonly chatAvailable?: boolean
  }
  /** Teams of a tournament, in the order in which they were made. */
  readonly '/tournaments/{tournament}/teams': {
    readonly teams: readonly Team[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** A team, by GUID or short id. */
  readonly '/tournaments/{tournament}/teams/{team}': Team
  /** The signed-in user’s pending team invitations, newest first. */
  readonly '/users/@me/invitations': readonly TeamInvitation[]
  /** The map pools of a tournament that the caller may read, in order. */
  readonly '/tournaments/{tournament}/pools': readonly Pool[]
  /** A map pool with its maps, and what was corrected since its publication. */
  readonly '/tournaments/{tournament}/pools/{pool}': Pool
  /** Matches of a tournament: bracket after bracket as they were generated, and in each by number. */
  readonly '/tournaments/{tournament}/matches': {
    readonly matches: readonly Match[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** A match, by GUID, or by its number within `division`. */
  readonly '/tournaments/{tournament}/matches/{match}': Match
  /** Matches of all listed tournaments, in order of time. */
  readonly '/matches': {
    readonly matches: readonly MatchCard[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** How a match is picked and played: the state of its session. */
  readonly '/tournaments/{tournament}/matches/{match}/flow': FlowState
  /** Sessions of flows in a tournament, newest first: those of matches, and free ones. */
  readonly '/tournaments/{tournament}/flow-sessions': {
    readonly sessions: readonly FlowSession[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** The state of a session: who has the turn, what was chosen and played, what is left. */
  readonly '/tournaments/{tournament}/flow-sessions/{flowSession}': FlowState
  /** The divisions of a tournament with their brackets, without matches. */
  readonly '/tournaments/{tournament}/divisions': readonly DivisionWithBrackets[]
  /** A bracket with its rounds, matches and standings. */
  readonly '/tournaments/{tournament}/brackets/{bracket}': BracketWithMatches
  /** The table of a bracket, group by group, computed from its results. */
  readonly '/tournaments/{tournament}/brackets/{bracket}/standings': {
    readonly standings: readonly Standing[]
  }
  /** The registration desk: every team with its answers, and what stands in the way of its place. */
  readonly '/tournaments/{tournament}/registrations': {
    readonly registration: RegistrationState
    readonly teams: readonly RegistrationDeskEntry[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** Corrections of results, matches that were opened again, and withdrawals that were taken back, newest first. */
  readonly '/tournaments/{tournament}/corrections': {
    readonly corrections: readonly CorrectionEntry[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** What a match was before it was corrected or opened again, and what it became by that; newest first. */
  readonly '/tournaments/{tournament}/matches/{match}/corrections': {
    readonly corrections: readonly MatchCorrection[]
  }
  /** The assistant that the tournament is linked to, without its secrets. */
  readonly '/tournaments/{tournament}/assistant': AssistantLink
  /** The qualifier of the tournament: its maps, its method and where it stands. */
  readonly '/tournaments/{tournament}/qualifier': Qualifier
  /** The standings of the qualifier, for teams and for players. */
  readonly '/tournaments/{tournament}/qualifier/standings': QualifierStandings
  /** The ledger of attempts, newest first. */
  readonly '/tournaments/{tournament}/qualifier/attempts': {
    readonly attempts: readonly QualifierAttempt[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** Who is sure of one of the first places of a table, who may still come to one, and who may not. */
  readonly '/tournaments/{tournament}/brackets/{bracket}/outlook': BracketOutlook
  /** Which teams are sure to advance from the qualifier, which may still, and what they need. */
  readonly '/tournaments/{tournament}/qualifier/outlook': QualifierOutlook
  /** The availability sheets that are for the caller, and what the caller is to them. */
  readonly '/tournaments/{tournament}/availability': AvailabilityState
  /** One availability sheet, with the answers that the caller may see. */
  readonly '/tournaments/{tournament}/availability/sheets/{sheet}': AvailabilitySheet
  /** The maps that were suggested for pools, newest first. */
  readonly '/tournaments/{tournament}/suggestions': {
    readonly suggestions: readonly Suggestion[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** One map that was suggested, with what became of it. */
  readonly '/tournaments/{tournament}/suggestions/{suggestion}': Suggestion
  /** What poolers say of a suggestion, oldest first. */
  readonly '/tournaments/{tournament}/suggestions/{suggestion}/comments': {
    readonly comments: readonly Comment[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** What poolers say of a map in a pool, oldest first. */
  readonly '/tournaments/{tournament}/pools/{pool}/maps/{poolMap}/comments': {
    readonly comments: readonly Comment[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** An import into a pool, with what became of each of its rows. */
  readonly '/tournaments/{tournament}/pools/{pool}/imports/{import}': Import
  /** The flows of a tournament, the oldest first. */
  readonly '/tournaments/{tournament}/flows': readonly Flow[]
  /** A flow: its steps, its rules, and what is wrong with it. */
  readonly '/tournaments/{tournament}/flows/{flow}': Flow
  /** Which flows the matches of a tournament are played by. */
  readonly '/tournaments/{tournament}/flow-plan': FlowPlan
  /** What songs of a match came to, as it was told by the assistant or by players’ games; newest first. */
  readonly '/tournaments/{tournament}/matches/{match}/proposals': {
    readonly proposals: readonly GameProposal[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
    /** Blocking warnings that hold the flow of the match. */
    readonly blockedBy: readonly FlowWarning[]
  }
  /** The open sessions of the tournament’s matches. */
  readonly '/tournaments/{tournament}/assistant/sessions': AssistantSessions
  /** How a match is managed at the assistant: the open session, else the last one. */
  readonly '/tournaments/{tournament}/matches/{match}/assistant': AssistantSession | null
  /** Who is to stream for the tournament, by start. */
  readonly '/tournaments/{tournament}/streamAssignments': {
    readonly streamAssignments: readonly StreamAssignment[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** The channels on which the audience watches the tournament, in their order. */
  readonly '/tournaments/{tournament}/channels': ChannelList
  /** Which matches a channel shows, with all that everybody may know of the next one. */
  readonly '/tournaments/{tournament}/channels/{channel}/queue': ChannelQueue
  /** Whose streams the tournament shows, who of them is live, and where to watch. */
  readonly '/tournaments/{tournament}/streams': {
    readonly streams: readonly TournamentStream[]
  }
  /** The overlays of the tournament, in the order in which they were made. */
  readonly '/tournaments/{tournament}/overlays': readonly Overlay[]
  /** An overlay: what it is called, what it points at, what is published of it. */
  readonly '/tournaments/{tournament}/overlays/{overlay}': Overlay
  /** What an overlay shows now: its scene, its casters, and what else is set by hand. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/control': OverlayControl
  /** What the scenes of an overlay are bound to: the match that it points at, and its tournament. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/data': OverlayData
  /** All that the page of an overlay shows, in one answer: for tools that ask again and again. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/state': OverlayState
  /** The scene document that the pages of an overlay show. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/published': PublishedScenes
  /** What runs and what comes next, with all that those who run a match day must know of it. */
  readonly '/tournaments/{tournament}/coordination': Coordination
  /** An edition of the awards with its categories and, from voting on, its nominees. */
  readonly '/awards/{edition}': Awards
  /** What the signed-in user has to do: matches, duties, invitations, sheets, deadlines, roster problems. */
  readonly '/users/@me/agenda': Agenda
  /** What was, or is to be, sent to the tournament’s chat channels, newest first. */
  readonly '/tournaments/{tournament}/deliveries': {
    readonly deliveries: readonly ChatDelivery[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
  /** What is wrong in the tournament, or will be: for its staff. */
  readonly '/tournaments/{tournament}/health': readonly TournamentFinding[]
  /** The rehearsals of the tournament, oldest first. */
  readonly '/tournaments/{tournament}/rehearsals': {
    readonly rehearsals: readonly Rehearsal[]
  }
  /** How a rehearsal was made, and when it ends. */
  readonly '/tournaments/{tournament}/rehearsals/{rehearsal}': Rehearsal
  /** What would have left a rehearsal, oldest first. */
  readonly '/tournaments/{tournament}/rehearsals/{rehearsal}/outbox': {
    readonly messages: readonly RehearsalMessage[]
    /** Give it as `before` to get the next page; null on the last one. */
    readonly nextCursor: string | null
  }
}

/** Commands, by their names. */
export interface Commands {
  /** Mark some or all of the signed-in user’s notifications as read. */
  readonly 'notifications.read': {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: {
      readonly guids?: readonly string[]
      /** Instead of `guids`. */
      readonly all?: true
    }
    readonly result: {
      readonly read: number
    }
  }
  /** Decide on a request, or decide anew. */
  readonly 'visibility.review': {
    readonly params: { readonly platform: string | number; readonly visibilityRequest: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly decision: 'approved' | 'rejected' | 'blocked'
      /** Required unless the decision is `approved`; the organiser reads it, but for that of a block. */
      readonly reason?: string
      /** The `decidedAt` that was read: where somebody has decided since, the answer is 409. Without it, the last decision counts. */
      readonly expectedDecidedAt?: string | null
    }
    readonly result: {
      readonly request: ReviewedRequest
    }
  }
  /** Send a delivery again. */
  readonly 'webhooks.replay': {
    readonly params: { readonly platform: string | number; readonly delivery: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: WebhookDelivery
  }
  /** Send all finished deliveries of what happened since an instant again, in their order. */
  readonly 'webhooks.replaySince': {
    readonly params: { readonly platform: string | number }
    readonly query: {
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly since: string
      /** Only tell how many would be sent again. */
      readonly dryRun?: boolean
    }
    readonly body: undefined
    readonly result: {
      /** How many are sent again. */
      readonly replayed: number
      /** Give it as `since` to send the rest; null when there is none. */
      readonly nextSince: string | null
    }
  }
  /** Publish an update, and send it to the chat. */
  readonly 'updates.publish': {
    readonly params: { readonly tournament: string | number }
    readonly query: Record<never, never>
    readonly body: NewTournamentUpdate
    readonly result: PublishedUpdate
  }
  /** Publish a pool now, or say when. */
  readonly 'pools.publish': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** When it is published; left out: now; null: it is not any more. */
      readonly publishAt?: string | null
      /** In spite of everything that it lacks but maps. */
      readonly force?: boolean
    } | undefined
    readonly result: Pool
  }
  /** Make a published pool a draft again, as long as no match was begun with it. */
  readonly 'pools.unpublish': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly reason: string
    }
    readonly result: Pool
  }
  /** Archive a published pool: it is read as before, and changed no more. */
  readonly 'pools.archive': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: Pool
  }
  /** Take a pool out of the archive. */
  readonly 'pools.unarchive': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: Pool
  }
  /** Add a map to a pool, behind the others. */
  readonly 'pools.addMap': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** A key, `!bsr` with a key, a hash, or a link to the map in the catalogue or on a ranking platform. */
      readonly ref?: string
      /** GUID, in lower case in answers. */
      readonly mapGuid?: string
      /** Easy, Normal, Hard, Expert, ExpertPlus, in any case, or 1, 3, 5, 7, 9; may be left out where there is one alone. */
      readonly difficulty?: string | number
      readonly characteristic?: string
      /** A hash that the catalogue does not have is taken nevertheless. */
      readonly keepMissing?: boolean
      /** GUID, in lower case in answers. */
      readonly flairGuid?: string | null
      readonly isTiebreaker?: boolean
      /** The assistant’s GameOptions. */
      readonly modifiers?: readonly ('NoFail' | 'NoBombs' | 'NoArrows' | 'NoObstacles' | 'SlowSong' | 'InstaFail' | 'FailOnClash' | 'BatteryEnergy' | 'FastNotes' | 'FastSong' | 'DisappearingArrows' | 'GhostNotes' | 'DemoNoFail' | 'DemoNoObstacles' | 'StrictAngles' | 'ProMode' | 'ZenMode' | 'SmallCubes' | 'SuperFastSong')[]
      /** The assistant’s PlayerOptions. */
      readonly playerOptions?: readonly ('LeftHanded' | 'StaticLights' | 'NoHud' | 'AdvancedHud' | 'ReduceDebris' | 'AutoPlayerHeight' | 'NoFailEffects' | 'AutoRestart' | 'HideNoteSpawnEffect' | 'AdaptiveSfx' | 'ArcsHapticFeedback')[]
      readonly options?: {
        readonly disablePause?: boolean
        readonly disableFail?: boolean
        readonly disableScoreSubmission?: boolean
        readonly showScoreboard?: boolean
        readonly disableCustomNotesOnStream?: boolean
        readonly target?: number | null
      }
      readonly attempts?: number | null
      readonly weight?: number
      /** For everybody. */
      readonly note?: string | null
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly releaseAt?: string | null
      /** For poolers. */
      readonly staffNote?: string | null
      /** Needed once the pool is published: everybody reads it among the changes. */
      readonly reason?: string | null
    }
    readonly result: PoolMap
  }
  /** Change what is set of a map in a pool; what is not given stays. */
  readonly 'pools.editMap': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number; readonly poolMap: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** GUID, in lower case in answers. */
      readonly flairGuid?: string | null
      readonly isTiebreaker?: boolean
      /** The assistant’s GameOptions. */
      readonly modifiers?: readonly ('NoFail' | 'NoBombs' | 'NoArrows' | 'NoObstacles' | 'SlowSong' | 'InstaFail' | 'FailOnClash' | 'BatteryEnergy' | 'FastNotes' | 'FastSong' | 'DisappearingArrows' | 'GhostNotes' | 'DemoNoFail' | 'DemoNoObstacles' | 'StrictAngles' | 'ProMode' | 'ZenMode' | 'SmallCubes' | 'SuperFastSong')[]
      /** The assistant’s PlayerOptions. */
      readonly playerOptions?: readonly ('LeftHanded' | 'StaticLights' | 'NoHud' | 'AdvancedHud' | 'ReduceDebris' | 'AutoPlayerHeight' | 'NoFailEffects' | 'AutoRestart' | 'HideNoteSpawnEffect' | 'AdaptiveSfx' | 'ArcsHapticFeedback')[]
      readonly options?: {
        readonly disablePause?: boolean
        readonly disableFail?: boolean
        readonly disableScoreSubmission?: boolean
        readonly showScoreboard?: boolean
        readonly disableCustomNotesOnStream?: boolean
        readonly target?: number | null
      }
      readonly attempts?: number | null
      readonly weight?: number
      /** For everybody. */
      readonly note?: string | null
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly releaseAt?: string | null
      /** For poolers. */
      readonly staffNote?: string | null
      /** Needed once the pool is published: everybody reads it among the changes. */
      readonly reason?: string | null
    }
    readonly result: PoolMap
  }
  /** Take a map out of a pool. */
  readonly 'pools.removeMap': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number; readonly poolMap: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** Needed once the pool is published: everybody reads it among the changes. */
      readonly reason?: string | null
    } | undefined
    readonly result: null
  }
  /** Put another map in the place of one, with its flair, flags and options. */
  readonly 'pools.replaceMap': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number; readonly poolMap: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** A key, `!bsr` with a key, a hash, or a link to the map in the catalogue or on a ranking platform. */
      readonly ref?: string
      /** GUID, in lower case in answers. */
      readonly mapGuid?: string
      /** Easy, Normal, Hard, Expert, ExpertPlus, in any case, or 1, 3, 5, 7, 9; may be left out where there is one alone. */
      readonly difficulty?: string | number
      readonly characteristic?: string
      /** A hash that the catalogue does not have is taken nevertheless. */
      readonly keepMissing?: boolean
      /** Needed once the pool is published: everybody reads it among the changes. */
      readonly reason?: string | null
    }
    readonly result: PoolMap
  }
  /** Put the maps of a pool into another order. */
  readonly 'pools.orderMaps': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** As it was read; a change since then is 409. */
      readonly draftRevision: number
      /** Every map of the pool once. */
      readonly maps: readonly string[]
      /** Needed once the pool is published: everybody reads it among the changes. */
      readonly reason?: string | null
    }
    readonly result: Pool
  }
  /** Put teams into places of a bracket, or let them change places, before play. */
  readonly 'brackets.placeEntrants': {
    readonly params: { readonly tournament: string | number; readonly bracket: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly entrants: readonly {
        /** Place in the bracket. */
        readonly slot: number
        /** null empties the place. */
        readonly teamGuid: string | null
      }[]
      /** Of the bracket, as the caller has seen it: another one is 409 `bracket.stale`, and nothing changes. */
      readonly revision?: number
    }
    readonly result: BracketWithMatches
  }
  /** Pair the next round of a Swiss bracket. */
  readonly 'brackets.pairRound': {
    readonly params: { readonly tournament: string | number; readonly bracket: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: BracketWithMatches
  }
  /** Change a match’s time, length, officials, addresses or notes; what is not given stays. */
  readonly 'matches.update': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: {
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly scheduledAt?: string | null
      /** Odd; until something was played. */
      readonly bestOf?: number
      /** All of them: whoever is not named is taken off. */
      readonly officials?: readonly {
        /** Any identifier of a user. */
        readonly user: string
        readonly role: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee'
      }[]
      /** An http or https address; null or an empty text removes it. */
      readonly streamUrl?: string | null
      /** An http or https address; null or an empty text removes it. */
      readonly vodUrl?: string | null
      /** For the tournament’s staff alone. */
      readonly notes?: string | null
      /** Of the match as the caller has seen it: where it has changed since, nothing does. */
      readonly revision?: number
    }
    readonly result: Match
  }
  /** Call the teams of a match to play it. */
  readonly 'matches.call': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: MatchCall
    readonly result: Match
  }
  /** Begin a match whose teams are both known. */
  readonly 'matches.start': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: undefined
    readonly result: Match
  }
  /** Tell the result of a map; the one that decides completes the match. */
  readonly 'matches.reportGame': {
    readonly params: { readonly tournament: string | number; readonly match: string | number; readonly number: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: {
      readonly sides: readonly {
        /** Points of the side; null where they are not known. */
        readonly score: number | null
        /** Above 1 with modifiers alone. */
        readonly accuracy?: number
        readonly completion?: 'passed' | 'failed' | 'quit'
      }[]
      /** Where it is not given, the higher score wins; null for a tie, which does not count. */
      readonly winner?: 1 | 2 | null
      readonly map?: {
        readonly hash: string
        readonly difficulty: string
        readonly characteristic: string
        readonly name?: string
      }
      readonly players?: readonly {
        /** GUID, in lower case in answers. */
        readonly userGuid: string
        /** Number of the side. */
        readonly side: 1 | 2
        readonly score: number
        /** Above 1 with modifiers alone. */
        readonly accuracy?: number
      }[]
      /** Of the match, as the caller has seen it; needed to change a map that has a result. */
      readonly revision?: number
    }
    readonly result: Match
  }
  /** Take the last map back, while the match runs. */
  readonly 'matches.removeGame': {
    readonly params: { readonly tournament: string | number; readonly match: string | number; readonly number: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: undefined
    readonly result: Match
  }
  /** Give the result of a match, or correct the one that it has. */
  readonly 'matches.reportResult': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly body: {
      readonly outcome: 'score' | 'walkover' | 'double_forfeit' | 'draw'
      /** Number of the side. */
      readonly winner?: 1 | 2
      /** Maps won by the two sides. */
      readonly scores?: readonly number[]
      /** For the tournament’s staff. */
      readonly reason?: string
      /** Of the bracket, as the preview told it; needed to correct a result. */
      readonly revision?: number
      /** The same as in the query. */
      readonly dryRun?: boolean
    }
    readonly result: Correction | Match
  }
  /** Open a completed match again. */
  readonly 'matches.reopen': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly body: {
      /** For the tournament’s staff. */
      readonly reason: string
      /** Of the bracket, as the preview told it; needed to apply it. */
      readonly revision?: number
      /** Of a match with a session: it is played on as it stands. Otherwise the session stays `decided` as long as the maps decide the match. */
      readonly resume?: 'play_on'
      /** The same as in the query. */
      readonly dryRun?: boolean
    }
    readonly result: Correction
  }
  /** Put everything that a correction changed back to what it was. */
  readonly 'corrections.undo': {
    readonly params: { readonly tournament: string | number; readonly correction: string | number }
    readonly query: {
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly body: undefined
    readonly result: Correction | WithdrawalCorrection
  }
  /** Record attempts while the qualifier is open. */
  readonly 'qualifiers.recordAttempts': {
    readonly params: { readonly tournament: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly attempts: readonly {
        /** GUID, in lower case in answers. */
        readonly mapGuid: string
        /** Any identifier of the player. */
        readonly user: string
        /** 0 to 1,000,000,000. May be left out of placeholders alone. */
        readonly score?: number
        /** 0 to 2, above 1 with modifiers alone; without it, the share of the highest score that the map allows. */
        readonly accuracy?: number | null
        /** 0 to 1,000,000. */
        readonly misses?: number | null
        /** 0 to 1,000,000. */
        readonly badCuts?: number | null
        /** 0 to 1,000,000. */
        readonly maxCombo?: number | null
        readonly fullCombo?: boolean | null
        /** `passed` unless given. */
        readonly completion?: 'passed' | 'failed' | 'quit' | 'placeholder'
        /** `manual` unless given. */
        readonly source?: 'assistant' | 'manual' | 'import'
        /** As the source calls it: what came in under it once is not recorded again, but for a placeholder, which it supersedes. */
        readonly externalId?: string | null
        /** ISO 8601 instant, from 2020 on; now unless given. */
        readonly playedAt?: string | null
      }[]
    }
    readonly result: {
      /** In the order in which they were sent. */
      readonly accepted: readonly QualifierAttempt[]
      readonly duplicates: readonly number[]
      readonly rejected: readonly {
        /** In the list that was sent, from 0. */
        readonly index: number
        /** - `map.unknown`: The qualifier has no such map.
- `user.unknown`: There is no such user.
- `team.not_registered`: The player is in no registered team of the tournament.
- `attempt.score_missing`: An attempt has a score, unless it is a placeholder.
- `attempt.out_of_range`: A value is out of its range.
- `attempt.score_too_high`: The score is higher than the map allows.
- `attempt.placeholder_of_another`: The placeholder with this external id is another player’s, or on another map.
- `attempt.limit_reached`: The player has no attempt left on this map. */
        readonly reason: 'map.unknown' | 'user.unknown' | 'team.not_registered' | 'attempt.score_missing' | 'attempt.out_of_range' | 'attempt.score_too_high' | 'attempt.placeholder_of_another' | 'attempt.limit_reached'
        readonly message: string
      }[]
    }
  }
  /** Make an attempt void: it counts no longer, and the player may play the map once more. */
  readonly 'qualifiers.voidAttempt': {
    readonly params: { readonly tournament: string | number; readonly attempt: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly reason: string
      /** Whether the linked assistant is asked, afterwards, to give the player the attempt back too. Whatever comes of that, the attempt is void here. */
      readonly refund?: boolean
    }
    readonly result: QualifierAttempt
  }
  /** Say when one can, as the holder of a role. */
  readonly 'availability.respond': {
    readonly params: { readonly tournament: string | number; readonly sheet: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** Of two for the same time, the later wins. */
      readonly responses: readonly AvailabilityResponseInput[]
      /** The role that is answered for; needed by those whom the sheet asks in several. */
      readonly role?: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee' | null
      /** `submittedAt` of the answers that were read before, null where there were none. Without it, whatever is there is replaced. */
      readonly expectedSubmittedAt?: string | null
    }
    readonly result: {
      /** A role in a tournament. */
      readonly role: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee'
      readonly responses: readonly AvailabilityResponse[]
      /** Null where no answer is left. */
      readonly submittedAt: string | null
    }
  }
  /** Say when a team can, as its captain. */
  readonly 'availability.respondForTeam': {
    readonly params: { readonly tournament: string | number; readonly sheet: string | number; readonly team: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** Whole slots of the sheet. Of two for the same time, the later wins. */
      readonly responses: readonly TeamAvailabilityResponseInput[]
      /** `submittedAt` of the answers that were read before, null where there were none. Without it, whatever is there is replaced. */
      readonly expectedSubmittedAt?: string | null
    }
    readonly result: {
      readonly teamResponses: readonly TeamAvailabilityResponse[]
      readonly teamSubmission: TeamAvailabilitySubmission
    }
  }
  /** Suggest a map for a pool. */
  readonly 'suggestions.create': {
    readonly params: { readonly tournament: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** A key, `!bsr` with a key, a hash, or a link to the map in the catalogue or on a ranking platform. */
      readonly ref?: string
      /** GUID, in lower case in answers. */
      readonly mapGuid?: string
      /** Easy, Normal, Hard, Expert, ExpertPlus, in any case, or 1, 3, 5, 7, 9; may be left out where there is one alone. */
      readonly difficulty?: string | number
      readonly characteristic?: string
      /** A hash that the catalogue does not have is taken nevertheless. */
      readonly keepMissing?: boolean
      /** Why it should be played. */
      readonly note?: string | null
      /** The pool that it is for; poolers alone say so. */
      readonly targetPool?: string | null
      /** GUID, in lower case in answers. */
      readonly targetFlair?: string | null
    }
    readonly result: Suggestion
  }
  /** Change what one said beside a map that one suggested, while that is open. */
  readonly 'suggestions.update': {
    readonly params: { readonly tournament: string | number; readonly suggestion: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** Why it should be played. */
      readonly note?: string | null
      /** The pool that it is for; poolers alone say so. */
      readonly targetPool?: string | null
      /** GUID, in lower case in answers. */
      readonly targetFlair?: string | null
    }
    readonly result: Suggestion
  }
  /** Take a suggestion back, while it is open. */
  readonly 'suggestions.withdraw': {
    readonly params: { readonly tournament: string | number; readonly suggestion: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: Suggestion
  }
  /** Accept a suggestion: its map goes into the pool. */
  readonly 'suggestions.accept': {
    readonly params: { readonly tournament: string | number; readonly suggestion: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** GUID, in lower case in answers. */
      readonly poolGuid?: string
      /** GUID, in lower case in answers. */
      readonly flairGuid?: string | null
      readonly isTiebreaker?: boolean
      /** The assistant’s GameOptions. */
      readonly modifiers?: readonly ('NoFail' | 'NoBombs' | 'NoArrows' | 'NoObstacles' | 'SlowSong' | 'InstaFail' | 'FailOnClash' | 'BatteryEnergy' | 'FastNotes' | 'FastSong' | 'DisappearingArrows' | 'GhostNotes' | 'DemoNoFail' | 'DemoNoObstacles' | 'StrictAngles' | 'ProMode' | 'ZenMode' | 'SmallCubes' | 'SuperFastSong')[]
      /** The assistant’s PlayerOptions. */
      readonly playerOptions?: readonly ('LeftHanded' | 'StaticLights' | 'NoHud' | 'AdvancedHud' | 'ReduceDebris' | 'AutoPlayerHeight' | 'NoFailEffects' | 'AutoRestart' | 'HideNoteSpawnEffect' | 'AdaptiveSfx' | 'ArcsHapticFeedback')[]
      readonly options?: {
        readonly disablePause?: boolean
        readonly disableFail?: boolean
        readonly disableScoreSubmission?: boolean
        readonly showScoreboard?: boolean
        readonly disableCustomNotesOnStream?: boolean
        readonly target?: number | null
      }
      readonly attempts?: number | null
      readonly weight?: number
      /** For everybody. */
      readonly note?: string | null
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly releaseAt?: string | null
      /** For poolers. */
      readonly staffNote?: string | null
      /** Needed once the pool is published: everybody reads it among the changes. */
      readonly reason?: string | null
    } | undefined
    readonly result: {
      readonly suggestion: Suggestion
      readonly poolMap: PoolMap
    }
  }
  /** Reject a suggestion; whoever made it is told why. */
  readonly 'suggestions.reject': {
    readonly params: { readonly tournament: string | number; readonly suggestion: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly reason: string
    }
    readonly result: Suggestion
  }
  /** Open a suggestion again that was rejected or withdrawn. */
  readonly 'suggestions.reopen': {
    readonly params: { readonly tournament: string | number; readonly suggestion: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: Suggestion
  }
  /** Vote on a suggestion that is open; a vote that one had is replaced. */
  readonly 'suggestions.vote': {
    readonly params: { readonly tournament: string | number; readonly suggestion: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly value: -1 | 0 | 1
    }
    readonly result: Votes
  }
  /** Take one’s vote on a suggestion back. */
  readonly 'suggestions.withdrawVote': {
    readonly params: { readonly tournament: string | number; readonly suggestion: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: null
  }
  /** Vote on a map of a pool that is not published; a vote that one had is replaced. */
  readonly 'poolMaps.vote': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number; readonly poolMap: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly value: -1 | 0 | 1
    }
    readonly result: Votes
  }
  /** Take one’s vote on a map of a pool back. */
  readonly 'poolMaps.withdrawVote': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number; readonly poolMap: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: null
  }
  /** Say something of a suggestion, to poolers. */
  readonly 'suggestions.comment': {
    readonly params: { readonly tournament: string | number; readonly suggestion: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** Plain text. */
      readonly text: string
      /** The comment that it answers; a reply to a reply joins its thread. */
      readonly replyTo?: string | null
    }
    readonly result: Comment
  }
  /** Say something of a map in a pool, to poolers. */
  readonly 'poolMaps.comment': {
    readonly params: { readonly tournament: string | number; readonly pool: string | number; readonly poolMap: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** Plain text. */
      readonly text: string
      /** The comment that it answers; a reply to a reply joins its thread. */
      readonly replyTo?: string | null
    }
    readonly result: Comment
  }
  /** Say otherwise what one wrote within the last 15 minutes. */
  readonly 'poolComments.update': {
    readonly params: { readonly tournament: string | number; readonly comment: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** Plain text. */
      readonly text: string
    }
    readonly result: Comment
  }
  /** Delete a comment of one’s own or, as a head, of anybody; what was answered to it stays. */
  readonly 'poolComments.delete': {
    readonly params: { readonly tournament: string | number; readonly comment: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: null
  }
  /** Begin a match with its session, by the planned flow and pool or by others. */
  readonly 'flowSessions.begin': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: {
      /** In the place of the planned one. */
      readonly flowGuid?: string
      /** In the place of the planned one. */
      readonly poolGuid?: string
      /** Who speaks for a seat in the place of those of the rules. */
      readonly speakers?: readonly {
        /** Number of a seat; in a match, of a side. */
        readonly seat: number
        readonly users: readonly string[]
      }[]
      /** The steps wait for so long; until then each seat may give a text of its own for the draws. */
      readonly startsInSeconds?: number
      /** How many seconds later everybody but referees, casters and speakers sees what happens. */
      readonly viewDelaySeconds?: number
    } | undefined
    readonly result: FlowState
  }
  /** Begin a session without a match: a lobby, a showmatch, a rehearsal. */
  readonly 'flowSessions.beginFree': {
    readonly params: { readonly tournament: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** GUID of a flow of the tournament, or name of a preset. */
      readonly flow: string
      /** GUID, in lower case in answers. */
      readonly pool: string
      /** In the order of their seeds. */
      readonly seats: readonly {
        /** GUID, in lower case in answers. */
        readonly teamGuid?: string
        /** Of a seat without a team. */
        readonly name?: string
      }[]
      /** Whether everybody sees it; otherwise it is deleted after seven days. */
      readonly public?: boolean
      /** Odd; of a flow that fits any. */
      readonly bestOf?: 1 | 3 | 5 | 7 | 9 | 11 | 13 | 15 | 17 | 19 | 21 | 23 | 25 | 27 | 29 | 31 | 33 | 35 | 37 | 39 | 41 | 43 | 45 | 47 | 49 | 51 | 53 | 55 | 57 | 59 | 61 | 63 | 65 | 67 | 69 | 71 | 73 | 75 | 77 | 79 | 81 | 83 | 85 | 87 | 89 | 91 | 93 | 95 | 97 | 99 | null
      /** Who speaks for a seat in the place of those of the rules. */
      readonly speakers?: readonly {
        /** Number of a seat; in a match, of a side. */
        readonly seat: number
        readonly users: readonly string[]
      }[]
      /** The steps wait for so long; until then each seat may give a text of its own for the draws. */
      readonly startsInSeconds?: number
      /** How many seconds later everybody but referees, casters and speakers sees what happens. */
      readonly viewDelaySeconds?: number
    }
    readonly result: FlowState
  }
  /** Begin a session anew, as long as no map has ended. */
  readonly 'flowSessions.restart': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect?: number
      readonly reason: string
    }
    readonly result: FlowState
  }
  /** End a session without a result. */
  readonly 'flowSessions.finish': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect?: number
      readonly reason: string
    }
    readonly result: FlowState
  }
  /** Choose in a session: ban, pick, name a line-up, be ready, and whatever else the step asks for. */
  readonly 'flowSessions.act': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect: number
      /** That of the step, or `accept`, `present`, `nonce`. */
      readonly action: 'roll' | 'choose' | 'protect' | 'ban' | 'pick' | 'flair_pick' | 'flair_ban' | 'lineup' | 'ready' | 'break' | 'accept' | 'present' | 'nonce'
      /** For whom a referee acts. */
      readonly seat?: number
      /** Of a map of the pool. */
      readonly map?: string
      readonly flair?: string
      readonly pair?: string
      readonly place?: 1 | 2
      /** GUIDs of who plays; left out for a seat that has a name and no team. */
      readonly users?: readonly string[]
      /** What was rolled at the table, seat by seat. */
      readonly rolls?: readonly number[]
      /** Any text without a comma. */
      readonly nonce?: string
    }
    readonly result: FlowState
  }
  /** Claim a replay of the map that was played, or, as a referee, have seats play it again. */
  readonly 'flowSessions.claim': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect: number
      /** A technical one is given by referees. */
      readonly kind?: 'replay' | 'technical'
      /** Number of a seat; in a match, of a side. */
      readonly seat?: number
      /** For whom, where replays are counted by player; left out for a seat that has a name and no team. */
      readonly user?: string
      /** Who plays again, if technical. */
      readonly seats?: readonly number[]
      readonly reason?: string
    }
    readonly result: FlowState
  }
  /** Take a replay back that was claimed and has not been played. */
  readonly 'flowSessions.cancelClaim': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number; readonly claim: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect: number
    }
    readonly result: FlowState
  }
  /** Take back the last thing that somebody did, or that a lapse did. */
  readonly 'flowSessions.undo': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect: number
    }
    readonly result: FlowState
  }
  /** Pause a session, go on, give more time; or, as a seat, call a timeout. */
  readonly 'flowSessions.setClock': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect: number
      /** Speakers may call a `timeout`. */
      readonly op: 'pause' | 'resume' | 'extend' | 'set' | 'timeout'
      /** Of `extend` and `set`. */
      readonly seconds?: number
      /** Of `resume`: the match was opened again, its maps decide it (phase `decided`), and it is played on all the same. */
      readonly resume?: 'play_on'
      /** Of a timeout. */
      readonly seat?: number
    }
    readonly result: FlowState
  }
  /** Tell scores of the run that is played. */
  readonly 'flowSessions.reportScores': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect?: number
      readonly scores: readonly {
        /** GUID, in lower case in answers. */
        readonly user?: string
        /** Of a seat that has a name alone. */
        readonly seat?: number
        /** Of the pool; null for a map that is not in it. The one that is played where it is not given. */
        readonly map?: string | null
        readonly score: number
        /** Above 1 by modifiers. */
        readonly accuracy?: number | null
        readonly misses?: number | null
        readonly badCuts?: number | null
        readonly maxCombo?: number | null
        readonly completion?: 'passed' | 'failed' | 'quit' | 'absent'
        readonly pausedSeconds?: number | null
        readonly mods?: readonly string[]
        readonly source?: 'assistant' | 'manual' | 'import'
        /** Of the source: the same once more changes nothing. */
        readonly externalId?: string | null
        /** ISO 8601 instant; UTC with milliseconds in answers. */
        readonly playedAt?: string | null
        /** An http or https address. */
        readonly evidenceUrl?: string | null
      }[]
      /** Nobody else will come: the rest were absent. */
      readonly complete?: boolean
      readonly game?: number
      readonly chain?: number
      readonly run?: number
    }
    readonly result: FlowState
  }
  /** Correct a score that was told, and everything that follows from it. */
  readonly 'flowSessions.correctScore': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number; readonly score: string | number }
    readonly query: {
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly body: {
      readonly score?: number
      /** Above 1 by modifiers. */
      readonly accuracy?: number | null
      readonly misses?: number | null
      readonly completion?: 'passed' | 'failed' | 'quit' | 'absent'
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect?: number
      readonly reason: string
      /** Of the bracket, as the preview told it; needed once the match is completed. */
      readonly revision?: number
      /** Where an earlier map decides by this, take the later ones back. */
      readonly dropLater?: boolean
    }
    readonly result: FlowCorrection | FlowState
  }
  /** Give a penalty: from a warning to the loss of a score, a map, or the match. */
  readonly 'flowSessions.penalise': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number }
    readonly query: {
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly body: {
      /** Number of a seat; in a match, of a side. */
      readonly seat: number
      readonly type: 'warning' | 'score_zero' | 'map_loss' | 'lose_bans' | 'lose_protects' | 'lose_replays' | 'lose_timeouts' | 'exclude' | 'points' | 'match_forfeit'
      /** Whom it is for, where it is not for the whole seat; left out for a seat that has a name and no team. */
      readonly user?: string
      /** Whose map it is for: it answers the warnings of the seat that keep that map from becoming final. */
      readonly game?: number
      readonly run?: number
      /** Of the run; the current one where it is not given. */
      readonly chain?: number
      readonly points?: number
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect?: number
      readonly reason: string
      /** Of the bracket, as the preview told it; needed once the match is completed. */
      readonly revision?: number
      /** Where an earlier map decides by this, take the later ones back. */
      readonly dropLater?: boolean
    }
    readonly result: FlowCorrection | FlowState
  }
  /** Void a penalty, as if it had not been given. */
  readonly 'flowSessions.voidPenalty': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number; readonly penalty: string | number }
    readonly query: {
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect?: number
      readonly reason: string
      /** Of the bracket, as the preview told it; needed once the match is completed. */
      readonly revision?: number
      /** Where an earlier map decides by this, take the later ones back. */
      readonly dropLater?: boolean
    }
    readonly result: FlowCorrection | FlowState
  }
  /** Do by hand what the flow does not provide for. */
  readonly 'flowSessions.override': {
    readonly params: { readonly tournament: string | number; readonly flowSession: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect: number
      readonly op: 'set_map' | 'award_map' | 'void_map' | 'go_to' | 'skip' | 'add_map' | 'substitute' | 'speakers' | 'redraw' | 'end_flow' | 'dismiss'
      readonly reason: string
      /** Of `set_map`: a map of the pool. */
      readonly map?: string
      /** Of `award_map`. */
      readonly winner?: number
      /** Of `award_map`. */
      readonly game?: number
      /** Of `go_to`. */
      readonly step?: string
      /** Of `add_map`. */
      readonly hash?: string
      readonly difficulty?: 'Easy' | 'Normal' | 'Hard' | 'Expert' | 'ExpertPlus'
      readonly characteristic?: string
      /** Of `substitute` and `speakers`. */
      readonly seat?: number
      /** GUID, in lower case in answers. */
      readonly out?: string
      /** GUID, in lower case in answers. */
      readonly in?: string
      /** Of `speakers`. */
      readonly users?: readonly string[]
      /** Of `dismiss`: the GUID of a warning, or of a proposal that is left. */
      readonly warning?: string
    }
    readonly result: FlowState
  }
  /** Make a proposal the result of its song. */
  readonly 'proposals.accept': {
    readonly params: { readonly tournament: string | number; readonly match: string | number; readonly gameProposal: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly body: {
      /** Whose scores are other than proposed, or missing there; needs a `reason`, unless the proposal has no players at all. */
      readonly players?: readonly {
        /** GUID, in lower case in answers. */
        readonly user: string
        readonly score: number
        readonly completion: 'passed' | 'failed' | 'quit'
      }[]
      /** For the tournament’s staff. */
      readonly reason?: string
      /** Of the bracket, as the preview told it; needed once the match is completed. */
      readonly revision?: number
      /** The same as in the query. */
      readonly dryRun?: boolean
    } | undefined
    readonly result: DecidedProposal
  }
  /** Decide that a song gets no result by a proposal. */
  readonly 'proposals.reject': {
    readonly params: { readonly tournament: string | number; readonly match: string | number; readonly gameProposal: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: {
      /** For the tournament’s staff. */
      readonly reason: string
    }
    readonly result: DecidedProposal
  }
  /** Tell by hand how a player does while a map is played. */
  readonly 'live.set': {
    readonly params: { readonly tournament: string | number; readonly match: string | number; readonly user: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: LiveScore
    readonly result: null
  }
  /** Tell what a song came to, by the word of one’s own game. */
  readonly 'live.finish': {
    readonly params: { readonly tournament: string | number; readonly match: string | number; readonly user: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: {
      /** Where the game told of it: BeatSaberPlus, or HTTP Status. */
      readonly source: 'bsplus' | 'status'
      /** Account that the game is played with, as BeatSaberPlus names it: a verified one of the player’s. null from HTTP Status. */
      readonly platformId: string | null
      /** Of the map, as SHA-1. */
      readonly hash: string
      readonly characteristic: string
      readonly difficulty: 'Easy' | 'Normal' | 'Hard' | 'Expert' | 'ExpertPlus'
      readonly name: string
      readonly maxScore: number | null
      readonly score: number
      /** Above 1 with modifiers alone. */
      readonly accuracy: number | null
      readonly misses: number
      readonly badCuts?: number
      readonly goodCuts: number
      readonly maxCombo: number | null
      readonly completion: 'passed' | 'failed' | 'quit'
      /** Seconds. */
      readonly endTime: number | null
    }
    readonly result: FinishedSong
  }
  /** Manage a match at the assistant: open its session, and take control of it. */
  readonly 'assistant.open': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: AssistantSession
  }
  /** Close the session of a match. */
  readonly 'assistant.close': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: {
      /** The match at the assistant too, where we have made it. */
      readonly deleteMatch?: boolean
      /** Also while a song is played: the next session that is opened for the match takes the song up. */
      readonly force?: boolean
    }
    readonly body: {
      /** The match at the assistant too, where we have made it. */
      readonly deleteMatch?: boolean
      /** Also while a song is played: the next session that is opened for the match takes the song up. */
      readonly force?: boolean
    } | undefined
    readonly result: null
  }
  /** Take control of a session, renew it every ten seconds, release it, or take it over with a reason. */
  readonly 'assistant.control': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly action: 'take' | 'renew' | 'release' | 'takeover'
      /** Of a takeover, for whoever had control, and for the audit list. */
      readonly reason?: string
    }
    readonly result: AssistantSession
  }
  /** Say by which platform id somebody is found at the assistant, for this session. */
  readonly 'assistant.setPlayer': {
    readonly params: { readonly tournament: string | number; readonly match: string | number; readonly user: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** null for nobody at the assistant. */
      readonly platformId: string | null
    }
    readonly result: AssistantSession
  }
  /** Set the map that is played next: that of the flow session, one of a pool, or any. */
  readonly 'assistant.setMap': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly source: 'flow'
    } | {
      /** GUID, in lower case in answers. */
      readonly poolMapGuid: string
    } | {
      readonly hash: string
      readonly characteristic: string
      readonly difficulty: 'Easy' | 'Normal' | 'Hard' | 'Expert' | 'ExpertPlus'
      readonly modifiers?: readonly string[]
    }
    readonly result: AssistantSession
  }
  /** Have the players, or some of them, load the map. */
  readonly 'assistant.load': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** GUIDs of some of the players; all of them without it. */
      readonly players?: readonly string[]
      /** Although the match is decided: what comes of it is proposed with `late`. */
      readonly force?: boolean
      /** Needed with `force`; it stands in the audit list where the match is decided. */
      readonly reason?: string
    } | undefined
    readonly result: AssistantSession
  }
  /** Ask the players in their headsets whether they are ready. */
  readonly 'assistant.readyCheck': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** GUIDs of some of the players; all of them without it. */
      readonly players?: readonly string[]
      readonly text?: string
      /** 30 without it. */
      readonly seconds?: number
    } | undefined
    readonly result: AssistantSession
  }
  /** Start the song that everybody has loaded. */
  readonly 'assistant.play': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** The link’s own without it. */
      readonly mode?: 'now' | 'held' | 'synced'
      /** Of `held`. */
      readonly delayMs?: number
      /** GUIDs of some of the players; all of them without it. */
      readonly players?: readonly string[]
      /** Codes of reasons that are passed over. */
      readonly ignore?: readonly string[]
      /** Although the match is decided: what comes of it is proposed with `late`. */
      readonly force?: boolean
      /** Needed with `force`; it stands in the audit list where the match is decided. */
      readonly reason?: string
    } | undefined
    readonly result: AssistantSession
  }
  /** Send everybody back to the menu; a song that is broken off has no result. */
  readonly 'assistant.return': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: AssistantSession
  }
  /** Change how the song looks or is played, where the link allows it. */
  readonly 'assistant.modify': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly modifier: 'InvertColors' | 'InvertHandedness' | 'DisableBlueNotes' | 'DisableRedNotes'
      /** Needed while a song is played. */
      readonly confirm?: boolean
    }
    readonly result: AssistantSession
  }
  /** Show a colour in the players’ headsets, to see how late their streams are. */
  readonly 'assistant.syncColor': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly color: string
      /** GUIDs of some of the players; all of them without it. */
      readonly players?: readonly string[]
    }
    readonly result: AssistantSession
  }
  /** Say how late the players’ streams are, for this session. */
  readonly 'assistant.setDelays': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: Record<never, never>
    readonly body: readonly {
      /** GUID, in lower case in answers. */
      readonly user: string
      readonly delayMs: number
    }[]
    readonly result: AssistantSession
  }
  /** Connect to the assistant anew, and look how things stand there. */
  readonly 'assistant.resync': {
    readonly params: { readonly tournament: string | number; readonly match: string | number }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly result: AssistantSession
  }
  /** End a player’s ticket for a match. */
  readonly 'bridgeTickets.end': {
    readonly params: { readonly tournament: string | number; readonly match: string | number; readonly user: string | number }
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: undefined
    readonly result: null
  }
  /** Replace the queue of a channel as a whole. */
  readonly 'channels.replaceQueue': {
    readonly params: { readonly tournament: string | number; readonly channel: string | number }
    readonly query: Record<never, never>
    readonly body: {
      readonly entries: readonly {
        /** GUID of a match, or its number. */
        readonly match: string
        /** GUID or short id of the division, for a match named by its number. */
        readonly division?: string
        /** `queued` unless given. */
        readonly status?: 'queued' | 'next' | 'live' | 'done'
        /** ISO 8601 instant; UTC with milliseconds in answers. */
        readonly plannedAt?: string | null
      }[]
      /** Of what this takes the place of; 0 for the first. */
      readonly revision: number
    }
    readonly result: ChannelQueue
  }
  /** Change what an overlay shows; members that are not named stay. */
  readonly 'overlays.control': {
    readonly params: { readonly tournament: string | number; readonly overlay: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** Id of a scene of the published document. */
      readonly scene?: string
      /** Whether the second side of the match is shown first. */
      readonly swapSides?: boolean
      /** Whether the card of the present map is shown: as the scene has it, always, or never. */
      readonly mapCard?: 'auto' | 'shown' | 'hidden'
      /** Those of its members that are named are changed. */
      readonly audio?: {
        /** Whose sound is heard: 0 the first side’s that is shown, 1 the second’s, 2 both. */
        readonly active?: number
        /** Whether nobody’s is. */
        readonly muted?: boolean
        readonly volume?: number
      }
      /** Who casts, in the order in which they are shown. */
      readonly casters?: readonly {
        readonly name: string
        readonly pronouns?: string
        /** Of a picture that was uploaded for overlays of the tournament, or the picture of the user. */
        readonly imageUrl?: string | null
        readonly handle?: string
        /** Of the user who casts: any identifier; null for nobody here. */
        readonly userGuid?: string | null
      }[]
      /** A line of text; empty for none. */
      readonly flavour?: string
      /** Matches of the tournament by their GUIDs, or by their numbers; in their order, each once. */
      readonly highlighted?: readonly string[]
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly countdownTo?: string | null
      /** Whether nothing is shown at all. */
      readonly blank?: boolean
      /** Values of one’s own, which scenes may be bound to, by names of letters and digits; they take the place of all that there are. */
      readonly custom?: Readonly<Record<string, unknown>>
      /** Whether scenes follow the match, and the end of the tournament, by themselves. */
      readonly autoAdvance?: boolean
      /** How long the summary of a game is shown then. */
      readonly autoDelayMs?: number
      /** Of the control state that this is made for: where it has changed since, nothing does. Any unless given. */
      readonly revision?: number
    }
    readonly result: OverlayControl
  }
  /** Point an overlay at a match of the tournament, or at none. */
  readonly 'overlays.point': {
    readonly params: { readonly tournament: string | number; readonly overlay: string | number }
    readonly query: Record<never, never>
    readonly body: {
      /** GUID of a match of the tournament, or its number; null for none. */
      readonly matchGuid: string | null
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
      /** Of the control state that this is made for: where it has changed since, nothing does. Any unless given. */
      readonly revision?: number
    }
    readonly result: OverlayControl
  }
}

export interface AdditionalField {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly label: string
  readonly help: string | null
  readonly type: 'text' | 'number' | 'select' | 'map' | 'boolean'
  readonly required: boolean
  readonly options: readonly string[]
  readonly subject: 'team' | 'player'
  /** Answers are shown to staff alone; those that are given while it is so, ever after. */
  readonly private: boolean
}

export interface AffectedMatchState {
  readonly status: 'locked' | 'waiting' | 'ready' | 'running' | 'completed' | 'cancelled'
  readonly outcome: 'score' | 'walkover' | 'double_forfeit' | 'draw' | 'bye' | null
  readonly sides: readonly {
    readonly team: TeamReference | null
    readonly score: number | null
    readonly result: 'win' | 'loss' | 'draw' | 'forfeit' | null
  }[]
}

export interface Agenda {
  /** Of one’s teams: those that are ready or run and have no time first, then by time, then those without a time that wait for a side. */
  readonly matches: readonly {
    /** GUID, in lower case in answers. */
    readonly teamGuid: string
    readonly match: MatchCard
  }[]
  /** Matches at which one works. */
  readonly duties: readonly {
    readonly role: string
    readonly match: MatchCard
  }[]
  /** Assignments to streams. */
  readonly streams: readonly {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly role: 'player' | 'caster' | 'observer'
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly startsAt: string
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly endsAt: string
    /** GUID, in lower case in answers. */
    readonly matchGuid: string | null
    readonly tournament: AgendaTournament
  }[]
  /** Into teams; all that can be accepted. */
  readonly invitations: readonly TeamInvitation[]
  /** Availability sheets that are open and ask oneself, or the team that one captains. */
  readonly sheets: readonly {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly title: string
    readonly audience: 'staff' | 'teams'
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly closesAt: string | null
    /** By oneself or, for a sheet of teams, by the captain. */
    readonly answered: boolean
    /** That it asks; null where it asks oneself. */
    readonly team: TeamReference | null
    readonly tournament: AgendaTournament
  }[]
  /** In order of time. */
  readonly deadlines: readonly {
    readonly kind: 'registration_opens' | 'registration_closes' | 'roster_locks' | 'qualifier_opens' | 'qualifier_closes' | 'tournament_starts'
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly at: string
    readonly team: TeamReference | null
    readonly tournament: AgendaTournament
  }[]
  /** Teams of one’s own that would not get their place now, with every failed check: those that hold a place, and those that can ask for one. */
  readonly rosterProblems: readonly {
    readonly team: TeamReference
    readonly status: 'unregistered' | 'registered' | 'qualified'
    readonly tournament: AgendaTournament
    readonly eligibility: RegistrationVerdict
  }[]
}

export interface AgendaTournament {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Short id. */
  readonly id: string
  readonly name: string
  readonly imageUrl: string | null
  /** IANA name. */
  readonly timezone: string
}

/** The assistant’s tournament in which matches of a tournament are played. */
export interface AssistantLink {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  /** `public`, or the SHA-256 fingerprint of a self-signed one. */
  readonly certificate: string
  readonly assistantTournament: {
    readonly guid: string
    readonly name: string
  }
  readonly tokenKind: 'own' | 'bot' | 'readonly'
  readonly token: Configured
  readonly password: Configured
  readonly hookSecret: Configured
  /** In whose name tokens are made, where they are of this service; null where nobody is left. */
  readonly actsAs: UserCard | null
  /** null for the newest that is known here. */
  readonly versionCode: number | null
  /** GUIDs of the assistant’s events. */
  readonly qualifierEvents: readonly string[]
  readonly bannedMods: readonly string[]
  readonly enabled: boolean
  readonly allowModify: boolean
  readonly defaults: {
    readonly playMode: 'now' | 'held' | 'synced'
    readonly readyCheck: boolean
    readonly prompt: string
    readonly loadTimeoutMs: number
    readonly autoAccept: boolean
    readonly autoAcceptMs: number
  }
  readonly status: {
    /** A link that was changed is untested until it is used. */
    readonly state: 'untested' | 'ok' | 'failing'
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly lastConnectedAt: string | null
    readonly serverVersion: number | null
    /** That the assistant gives us. */
    readonly permissions: readonly string[]
    /** What needs one of these is left out. */
    readonly missingPermissions: readonly string[]
    readonly lastError: {
      readonly code: string
      readonly message: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly at: string
    } | null
  }
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface AssistantMap {
  /** GUID, in lower case in answers. */
  readonly poolMapGuid: string | null
  readonly hash: string
  readonly characteristic: string
  readonly difficulty: string
  readonly name: string
  readonly modifiers: readonly string[]
}

/** To the public, when it began alone. */
export interface AssistantPlay {
  /** GUID, in lower case in answers. */
  readonly guid?: string
  readonly game?: number
  readonly run?: number
  readonly mode?: 'now' | 'held' | 'synced'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startedAt: string
  readonly state?: 'sending' | 'started' | 'not_started' | 'finished' | 'aborted' | 'uncertain'
}

export interface AssistantPlayer {
  readonly user?: UserCard | null
  readonly side: number
  /** By which the player is found at the assistant; null where none is verified. */
  readonly platformId: string | null
  readonly connected: boolean
  readonly playState: 'menu' | 'waiting' | 'game' | null
  readonly downloadState: 'none' | 'downloading' | 'downloaded' | 'error' | null
  readonly load: {
    readonly state: 'idle' | 'loading' | 'loaded' | 'failed'
    readonly error: string | null
  }
  readonly readyCheck: 'none' | 'asked' | 'ready' | 'not_yet'
  readonly bannedMods: readonly string[]
  readonly streamDelayMs: number | null
}

export interface AssistantSession {
  readonly phase: 'idle' | 'players_missing' | 'ready' | 'loading' | 'loaded' | 'checking' | 'starting' | 'playing' | 'finished' | 'closed'
  /** To the public, from the beginning of the song on. */
  readonly map: AssistantMap | null
  readonly play: AssistantPlay | null
  /** For staff; a player sees their own entry. */
  readonly players?: readonly AssistantPlayer[]
  /** GUID, in lower case in answers. */
  readonly guid?: string
  /** GUID, in lower case in answers. */
  readonly match?: string
  readonly openedBy?: UserCard | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly openedAt?: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly closedAt?: string | null
  readonly closeReason?: string | null
  readonly status?: 'connecting' | 'connected' | 'reconnecting' | 'failed' | 'closed'
  readonly controller?: {
    readonly user: UserCard
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly since: string
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly until: string
  } | null
  readonly others?: readonly {
    readonly name: string
    readonly platformId: string
    readonly clientType: 'player' | 'socket' | 'rest' | null
  }[]
  readonly warnings?: readonly AssistantWarning[]
  readonly assistantMatch?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly lastPacketAt?: string | null
  readonly lastError?: {
    readonly code: string
    readonly message: string
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly at: string
  } | null
  readonly revision?: number
}

export interface AssistantSessions {
  readonly sessions: readonly AssistantSession[]
}

export interface AssistantWarning {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly code: string
  /** GUID, in lower case in answers. */
  readonly user: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
}

export interface AuditEntry {
  /** Grows with time. */
  readonly seq: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
  /** What happened. */
  readonly type: string
  /** The record that it happened to. */
  readonly subject: string | null
  /** Who did it; null for the service itself. */
  readonly actor: UserCard | null
  /** Given, and true, where simulated players of a rehearsal did it. */
  readonly simulated?: boolean
  /** What changed, as it was. */
  readonly before: Readonly<Record<string, unknown>> | null
  /** What changed, as it is. */
  readonly after: Readonly<Record<string, unknown>> | null
}

/** One user’s answer in one role, to a match or to a quarter of an hour. */
export interface AvailabilityResponse {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** GUID, in lower case in answers. */
  readonly sheetGuid: string
  /** GUID, in lower case in answers. */
  readonly userGuid: string
  /** A role in a tournament. */
  readonly role: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee'
  readonly status: 'available' | 'maybe' | 'unavailable' | 'would_rather_not'
  readonly otherReason: string | null
  /** Of a sheet that asks for matches. */
  readonly matchGuid: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt: string | null
  /** Fifteen minutes later. */
  readonly endsAt: string | null
  readonly user?: UserCard
}

/** Either `matchGuid`, or `startsAt` with `endsAt`. */
export interface AvailabilityResponseInput {
  readonly status: 'available' | 'maybe' | 'unavailable' | 'would_rather_not'
  readonly otherReason?: string | null
  /** GUID, in lower case in answers. */
  readonly matchGuid?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt?: string | null
}

export interface AvailabilitySheet {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** GUID, in lower case in answers. */
  readonly tournamentGuid: string
  /** GUID, in lower case in answers. */
  readonly createdByGuid: string
  readonly audience: 'staff' | 'teams'
  readonly teamEligibility: 'registered' | 'qualified' | 'both'
  /** Of the slots that teams answer; staff answer quarters of an hour whatever it is. */
  readonly slotMinutes: 15 | 30 | 60
  readonly acceptedStatuses: readonly ('available' | 'maybe' | 'unavailable' | 'would_rather_not')[]
  readonly title: string
  /** In Markdown. */
  readonly description: string | null
  readonly mode: 'matches' | 'days' | 'range'
  /** Empty on a sheet for staff: every role. */
  readonly roles: readonly ('role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee')[]
  readonly timezone: string
  /** In the mode `range` alone. */
  readonly startsAt: string | null
  /** In the mode `range` alone. */
  readonly endsAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly closesAt: string | null
  readonly matches: readonly {
    /** GUID, in lower case in answers. */
    readonly guid: string
    /** GUID, in lower case in answers. */
    readonly matchGuid: string
    readonly match: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly number: number
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly scheduledAt: string | null
      readonly status: 'locked' | 'waiting' | 'ready' | 'running' | 'completed' | 'cancelled'
      readonly sides: readonly {
        readonly team: TeamReference | null
      }[]
    }
  }[]
  /** What may be answered, in order; the span of a `range` is one. */
  readonly windows: readonly AvailabilityWindow[]
  /** What staff answered: as far as the caller may see it, their own or that of roles which they manage. */
  readonly responses: readonly AvailabilityResponse[]
  /** True where there are more answers than one reply holds: then at most the caller’s own are here, and the overlap tells the rest. */
  readonly responsesLimited?: boolean
  /** Of those whose `responses` are here. */
  readonly submissions: readonly AvailabilitySubmission[]
  readonly teamResponses: readonly TeamAvailabilityResponse[]
  readonly teamSubmissions: readonly TeamAvailabilitySubmission[]
  /** Teams that are asked, of which the caller may answer or read. */
  readonly eligibleTeams: readonly AvailabilityTeam[]
  readonly createdBy?: UserCard
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface AvailabilityState {
  /** Those that are for the caller, newest first. */
  readonly sheets: readonly AvailabilitySheet[]
  /** The caller’s own. */
  readonly applicantRoles: readonly ('role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee')[]
  /** For which the caller may make sheets. */
  readonly manageableRoles: readonly ('role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee')[]
  /** GUID, in lower case in answers. */
  readonly userGuid: string
  /** Whether the caller may make sheets for teams, and read all answers. */
  readonly canManageTeams: boolean
  /** Registered and qualified teams: all for those who manage them, for captains their own. */
  readonly teams: readonly AvailabilityTeam[]
}

/** When a user last answered in a role. */
export interface AvailabilitySubmission {
  /** GUID, in lower case in answers. */
  readonly userGuid: string
  /** A role in a tournament. */
  readonly role: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly submittedAt: string
}

export interface AvailabilityTeam {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly id: string
  readonly name: string
  /** GUID, in lower case in answers. */
  readonly captain: string
  /** The tournament is played by teams of one. */
  readonly isSolo: boolean
  /** Qualified teams are registered too. */
  readonly isRegistered: boolean
  readonly isQualified: boolean
}

export interface AvailabilityWindow {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt: string
}

export interface AwardCategory {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** GUID, in lower case in answers. */
  readonly editionGuid: string
  readonly name: string
  /** Markdown. */
  readonly description: string
  readonly html?: RenderedDescription
  readonly order: number
  readonly nomineeType: 'user' | 'tournament' | 'team' | 'map' | 'other'
  readonly shortlistSize: number
  /** Given to winners who are users, and to the members of winning teams. */
  readonly badgeGuid: string | null
  /** From voting on, in an order of each reader’s own; null before, but for those who manage awards. */
  readonly nominees: readonly Nominee[] | null
  /** The nominees who were tied at the first place, once a runoff is held among them. */
  readonly runoff: readonly string[] | null
}

export interface AwardRules {
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly accountBefore: string
  readonly link: 'ranking-a' | 'ranking-b' | 'either' | 'none'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly linkBefore: string
  readonly minTournamentsPlayed: number
  readonly selfNomination: boolean
  readonly nominationsPerCategory: number
  readonly tie: 'shared' | 'runoff'
  readonly showCounts: boolean
}

export interface AwardRunoff {
  readonly categories: readonly string[]
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly closesAt: string | null
}

export interface Awards {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Of its address. */
  readonly id: string
  readonly title: string
  readonly bannerUrl: string | null
  readonly status: 'draft' | 'nominating' | 'shortlisting' | 'voting' | 'counting' | 'published' | 'cancelled'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly nominationsOpenAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly nominationsCloseAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly votingOpensAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly votingClosesAt: string
  /** Null: by hand. */
  readonly publishAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly publishedAt: string | null
  /** Markdown. */
  readonly description: string
  readonly html?: RenderedDescription
  readonly rules: AwardRules
  /** While tied nominees are voted for once more: in which categories, and until when. */
  readonly runoff: AwardRunoff | null
  /** Null while it was not cancelled. */
  readonly cancelReason: string | null
  /** When the sealed votes were deleted. */
  readonly votesDeletedAt: string | null
  /** In their order. */
  readonly categories: readonly AwardCategory[]
  /** Categories in which the caller’s vote stands or, after voting, in which they have voted; null without a token. */
  readonly voted: readonly string[] | null
  readonly revision: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface BracketOutlook {
  readonly places: number
  /** By what it is told: level points decide nothing before the end. */
  readonly basis: 'points'
  /** Whether all that may still happen was looked at. Otherwise whoever is `alive` may be sure already; what else is told holds. */
  readonly exact: boolean
  /** In the order of the standings. */
  readonly rows: readonly {
    readonly team: TeamReference
    /** Group of a round robin, from 0. */
    readonly group: number | null
    readonly points: number
    /** `clinched`: sure of a place, whatever happens; `eliminated`: without one, whatever happens; `tied`: nothing is left to play, and the last place goes to several who share a rank. */
    readonly status: 'clinched' | 'alive' | 'eliminated' | 'tied'
    /** What becomes of the team by how the next match ends that it is known to play. */
    readonly next: {
      /** GUID, in lower case in answers. */
      readonly matchGuid: string
      /** `clinched`: sure of a place, whatever happens; `eliminated`: without one, whatever happens; `tied`: nothing is left to play, and the last place goes to several who share a rank. */
      readonly ifWin: 'clinched' | 'alive' | 'eliminated' | 'tied'
      /** null where matches do not end in draws. */
      readonly ifDraw: 'clinched' | 'alive' | 'eliminated' | 'tied' | null
      /** `clinched`: sure of a place, whatever happens; `eliminated`: without one, whatever happens; `tied`: nothing is left to play, and the last place goes to several who share a rank. */
      readonly ifLoss: 'clinched' | 'alive' | 'eliminated' | 'tied'
    } | null
  }[]
}

export interface BracketWithMatches {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** GUID, in lower case in answers. */
  readonly division: string
  readonly name: string
  /** Brackets of a division are listed by it. */
  readonly order: number
  readonly format: 'single_elimination' | 'double_elimination' | 'round_robin' | 'swiss'
  readonly settings: {
    /** Games at most; odd. */
    readonly bestOf: number
    /** By `section:round`. */
    readonly bestOfByRound: Readonly<Record<string, number>>
    readonly seedOrdering: 'standard' | 'natural' | 'manual'
    readonly thirdPlace?: boolean
    readonly grandFinal?: 'none' | 'single' | 'reset'
    readonly groups?: number
    readonly legs?: number
    readonly distribution?: 'snake' | 'sequential'
    readonly points?: {
      readonly win: number
      readonly draw: number
      readonly loss: number
    }
    readonly allowDraws?: boolean
    readonly rounds?: number
    readonly byePoints?: number
    readonly avoidRematches?: boolean
    readonly tieBreakers: readonly ('points' | 'head_to_head' | 'game_difference' | 'games_won' | 'buchholz' | 'median_buchholz' | 'sonneborn_berger' | 'score_total' | 'seed')[]
  }
  /** A draft has a place without a team; nothing in it can be played. */
  readonly status: 'draft' | 'ready' | 'running' | 'completed'
  readonly entrants: readonly {
    /** Place in the bracket, from 1. */
    readonly slot: number
    /** It belongs to the place: teams that change places change seeds. */
    readonly seed: number | null
    /** null for a place that is not taken yet. */
    readonly team: TeamReference | null
    /** Of a team that has left: whether its results stay, or do not count. */
    readonly withdrawal: 'walkover' | 'void' | null
  }[]
  /** In the order of play; Swiss brackets get theirs one by one. */
  readonly rounds: readonly {
    /** Within the section, from 1. */
    readonly number: number
    readonly section: 'upper' | 'lower' | 'final' | 'third_place' | 'group' | 'swiss'
    readonly name: string
    /** Games at most; odd. */
    readonly bestOf: number
    readonly matchGuids: readonly string[]
  }[]
  /** Grows with every change of the bracket or of a match. */
  readonly revision: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
  readonly matches: readonly Match[]
  readonly standings: readonly Standing[]
  /** Ties that decided who goes on. */
  readonly ties?: readonly DecidedTie[]
  /** SHA-256 of the seed of the draw, in hex digits; told before the draw. */
  readonly commitment?: string
  /** Of the draw, in hex digits: 32 bytes for each of `ties`, in their order. */
  readonly seed?: string
}

/** What the audience of a tournament watches. */
export interface Channel {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly name: string
  readonly url: string
  /** How far what it shows is behind. */
  readonly delaySeconds: number
  /** Place in the list, from 1. */
  readonly order: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface ChannelList {
  readonly channels: readonly Channel[]
  /** Grows with each change; 0 before the first. */
  readonly revision: number
}

/** Which matches a channel shows, in their order. */
export interface ChannelQueue {
  /** GUID, in lower case in answers. */
  readonly channel: string
  readonly entries: readonly {
    readonly match: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly number: number
    }
    readonly status: 'queued' | 'next' | 'live' | 'done'
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly plannedAt: string | null
  }[]
  /** The match that is next, as everybody sees it, before it begins. */
  readonly next: {
    readonly match: Match
    /** What the match is to be played by; null where nothing is planned. */
    readonly flow: {
      /** null for a preset. */
      readonly guid: string | null
      readonly name: string
      readonly seats: number
      /** null fits any match. */
      readonly bestOf: number | null
      readonly pairs: readonly string[]
      /** Steps, and blocks `{repeat, steps}` and `{each, steps}`. */
      readonly steps: readonly (FlowStep | {
        readonly repeat: number | 'until_decided'
        readonly steps: readonly (FlowStep | {
          readonly repeat: number | 'until_decided'
          readonly steps: readonly FlowStep[]
        } | {
          readonly each: string
          readonly steps: readonly FlowStep[]
        })[]
      } | {
        readonly each: string
        readonly steps: readonly (FlowStep | {
          readonly repeat: number | 'until_decided'
          readonly steps: readonly FlowStep[]
        } | {
          readonly each: string
          readonly steps: readonly FlowStep[]
        })[]
      })[]
      readonly rules: FlowRules
    } | null
  } | null
  /** Grows with each change; 0 before the first. */
  readonly revision: number
}

export interface ChatDelivery {
  /** That of the update, or of the announcement. */
  readonly guid: string
  /** The kind of the announcement; null for an update. */
  readonly announcement: 'match_called' | 'match_started' | 'match_finished' | 'round_ready' | 'schedule_changed' | 'registration_opened' | 'registration_closing' | 'team_registered' | 'bracket_published' | 'pool_published' | 'stream_live' | 'placements' | null
  /** Of the update; null for an announcement. */
  readonly title: string | null
  /** `main`, or the label of a further webhook. */
  readonly channel: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string | null
  /** null while nothing is to be sent. */
  readonly nextAttemptAt: string | null
  readonly delivery: UpdateDelivery
  /** Of each part, as it is to be in the chat; null where the message is to be removed. */
  readonly messages: readonly ({
    /** At most 2,000 characters, in the Markdown of the chat platform; may be empty. */
    readonly content: string
    /** The change cards that go with this message, at most ten. */
    readonly embeds: readonly {
      readonly title?: string
      readonly description?: string
      readonly fields?: readonly {
        readonly name: string
        readonly value: string
        /** Shown beside the next field; `before` and `after` are. */
        readonly inline?: boolean
      }[]
    }[]
  } | null)[]
}

export interface Comment {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** null once it was deleted. */
  readonly author: UserCard | null
  /** Plain, never markup; null once it was deleted. */
  readonly text: string | null
  /** The comment that began the thread. */
  readonly replyTo: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly editedAt: string | null
  readonly deleted: boolean
}

/** Whether there is one. */
export interface Configured {
  readonly configured: boolean
}

export interface CoordinatedMatch {
  readonly match: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    /** Stable, and unique in the division. */
    readonly number: number
    readonly division: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly name: string
    }
    readonly bracket: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly name: string
    }
    readonly section: 'upper' | 'lower' | 'final' | 'third_place' | 'group' | 'swiss'
    /** Within the section, from 1. */
    readonly round: number
    readonly status: 'locked' | 'waiting' | 'ready' | 'running' | 'completed' | 'cancelled'
    readonly bestOf: number
    readonly sides: readonly {
      readonly team: TeamReference | null
      readonly score: number | null
    }[]
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly scheduledAt: string | null
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly startedAt: string | null
  }
  /** That point at the match. */
  readonly overlays: readonly {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string
  }[]
  /** How the match is picked and played by a flow, as late as the viewer may see it. */
  readonly session: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly status: 'running' | 'paused' | 'over' | 'void'
    /** When the time of the clock is over that runs. */
    readonly dueAt: string | null
    /** That time is over, and what follows of it is still to come. */
    readonly overdue: boolean
  } | null
  /** The open session at the assistant. */
  readonly assistant: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly status: string
    readonly phase: string
  } | null
  /** Results that wait for somebody to decide on them, the oldest first. */
  readonly proposals: readonly {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly game: number
    readonly run: number
    readonly status: string
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly createdAt: string
  }[]
  /** Players who are live, tests aside. */
  readonly streams: readonly {
    readonly user: UserCard
    readonly side: number
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly startedAt: string
  }[]
}

export interface Coordination {
  /** In the order in which they began, the first 20. */
  readonly running: readonly CoordinatedMatch[]
  /** What has a time in the order of these, then what can be played at once; the first 20. */
  readonly next: readonly CoordinatedMatch[]
}

export interface Correction {
  /** Nothing was written: this is what would happen. */
  readonly dryRun: boolean
  /** Of the bracket. Give the one of the preview to apply exactly that. */
  readonly revision: number
  /** To undo it; null where nothing was written. */
  readonly correctionGuid: string | null
  /** Matches that lose or regain something by it, in the order of their numbers. */
  readonly affected: readonly {
    /** GUID, in lower case in answers. */
    readonly matchGuid: string
    readonly number: number
    readonly change: 'result_voided' | 'reopened' | 'cancelled' | 'restored' | 'team_replaced'
    readonly before: AffectedMatchState
    readonly after: AffectedMatchState
  }[]
}

export interface CorrectionEntry {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** GUID, in lower case in answers. */
  readonly bracket: string | null
  /** That was corrected, or opened again. */
  readonly match: string | null
  /** Whose withdrawal was taken back: in the place of bracket, match and revision. */
  readonly team: string | null
  /** Numbers of all matches that it altered, the corrected one among them. */
  readonly matches: readonly number[]
  readonly reason: string | null
  /** Who made it. */
  readonly actor: UserCard | null
  /** Of the bracket, once it was applied. */
  readonly revision: number | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly undoneAt: string | null
}

export interface DecidedProposal {
  readonly proposal: GameProposal
  readonly match: Match
  /** Of the session of the match; null where it is played without one. */
  readonly state: FlowState | null
  /** What it does to a match that was completed. */
  readonly correction: Correction | null
}

export interface DecidedTie {
  /** null where they are in several groups, or there are none. */
  readonly groupIndex: number | null
  /** What they were tied for. */
  readonly places: readonly number[]
  readonly decidedBy: 'order' | 'draw'
  /** In the order that was decided, or will be drawn from. */
  readonly teams: readonly TeamReference[]
}

export interface DivisionWithBrackets {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Short id, unique in the tournament. */
  readonly id: string
  readonly name: string
  /** Divisions are listed by it. */
  readonly order: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
  readonly brackets: readonly ListedBracket[]
}

export interface FinishedSong {
  /** What the song is proposed as, for the staff of the tournament. */
  readonly proposal: string
  readonly status: 'collecting' | 'proposed' | 'accepted' | 'rejected' | 'superseded'
  readonly game: number
  readonly run: number
  /** Whose games have told of the song so far. */
  readonly players: readonly {
    /** GUID, in lower case in answers. */
    readonly userGuid: string
    readonly side: number
    readonly score: number
    readonly completion: 'passed' | 'failed' | 'quit'
  }[]
}

/** What tells the maps of a pool apart. */
export interface Flair {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly name: string
  readonly color: string
  /** Name of an icon. */
  readonly icon: string | null
  readonly order: number
}

export interface Flow {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** GUID, in lower case in answers. */
  readonly tournament: string
  readonly name: string
  /** Name of the preset that it was made from. */
  readonly basedOn: string | null
  readonly seats: number
  /** null fits any match. */
  readonly bestOf: number | null
  readonly pairs: readonly string[]
  /** Steps, and blocks `{repeat, steps}` and `{each, steps}`. */
  readonly steps: readonly (FlowStep | {
    readonly repeat: number | 'until_decided'
    readonly steps: readonly (FlowStep | {
      readonly repeat: number | 'until_decided'
      readonly steps: readonly FlowStep[]
    } | {
      readonly each: string
      readonly steps: readonly FlowStep[]
    })[]
  } | {
    readonly each: string
    readonly steps: readonly (FlowStep | {
      readonly repeat: number | 'until_decided'
      readonly steps: readonly FlowStep[]
    } | {
      readonly each: string
      readonly steps: readonly FlowStep[]
    })[]
  })[]
  readonly rules: FlowRules
  /** What can be told without a match and its pool. */
  readonly problems: readonly FlowProblem[]
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface FlowClaim {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly game: number
  readonly chain: number
  /** That was played, and is to be played again. */
  readonly run: number
  readonly seat: number
  /** Where a player plays again alone; null for a seat that has a name and no team. */
  readonly user: string | null
  /** Of a seat that has a name and no team, in the place of a user; null for a seat with a team. */
  readonly name: string | null
  readonly reason: string | null
  readonly by: UserCard | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
  readonly status: 'open' | 'played' | 'cancelled'
}

export interface FlowCorrection {
  /** Nothing was written: this is what would happen. */
  readonly dryRun: boolean
  /** Of the bracket. Give the one of the preview to apply exactly that. */
  readonly revision: number
  /** To undo it; null where nothing was written. */
  readonly correctionGuid: string | null
  /** Matches that lose or regain something by it, in the order of their numbers. */
  readonly affected: readonly {
    /** GUID, in lower case in answers. */
    readonly matchGuid: string
    readonly number: number
    readonly change: 'result_voided' | 'reopened' | 'cancelled' | 'restored' | 'team_replaced'
    readonly before: AffectedMatchState
    readonly after: AffectedMatchState
  }[]
  readonly state: FlowState
}

export interface FlowGame {
  readonly game: number
  /** In the pool of the session. */
  readonly map: string | null
  readonly pickedBy: number | null
  readonly phase: 'up_next' | 'playing' | 'window' | 'replay' | 'final' | 'void'
  /** The last one: a level map begins a new one. */
  readonly chain: number
  /** A run, and the replays that were claimed of it. */
  readonly chains: readonly (readonly {
    readonly run: number
    /** By seat. */
    readonly totals: readonly (number | null)[]
    readonly scores: readonly FlowScore[]
  }[])[]
  /** What counts by now, by seat. */
  readonly totals: readonly (number | null)[]
  /** Runs that count, by seat. */
  readonly counted: readonly (number | null)[]
  /** By seat, as the match tells it: the score, whatever the map is won by, and the mean accuracy of what counts. */
  readonly sides: readonly {
    /** null where it is not known. */
    readonly score: number | null
    /** null where it is not known. */
    readonly accuracy: number | null
  }[]
  readonly scoreToBeat: number | null
  /** Seat that holds the map while it is not final. */
  readonly provisional: number | null
  readonly winner: number | null
  readonly because: string | null
}

export interface FlowPenalty {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly seat: number
  /** Whose score or place it is about; null for a seat that has a name and no team. */
  readonly user: string | null
  /** Of a seat that has a name and no team, in the place of a user; null for a seat with a team. */
  readonly name: string | null
  readonly game: number | null
  readonly run: number | null
  /** Of the run, or all of whose runs it is about; null for all of the map. */
  readonly chain: number | null
  readonly type: 'warning' | 'score_zero' | 'map_loss' | 'lose_bans' | 'lose_protects' | 'lose_replays' | 'lose_timeouts' | 'exclude' | 'points' | 'match_forfeit'
  readonly points: number | null
  readonly reason: string
  readonly by: UserCard | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly voidedAt: string | null
}

export interface FlowPlan {
  /** 0 before there is a plan; grows with each change. */
  readonly revision: number
  /** The flow of whatever is not named. */
  readonly default: string | null
  readonly brackets: readonly {
    /** GUID, in lower case in answers. */
    readonly bracketGuid: string
    /** GUID of a flow of the tournament, or name of a preset. */
    readonly flowGuid: string | null
    /** By `section:round`. */
    readonly rounds: Readonly<Record<string, string>>
  }[]
  readonly matches: readonly {
    /** GUID, in lower case in answers. */
    readonly matchGuid: string
    /** GUID of a flow of the tournament, or name of a preset. */
    readonly flowGuid: string
  }[]
}

export interface FlowProblem {
  readonly code: 'flow.no_decision' | 'flow.loop_without_play' | 'flow.nothing_to_play' | 'flow.too_few_maps' | 'flow.actor_unknown' | 'flow.tiebreaker_missing' | 'flow.timeout_impossible' | 'flow.pair_open' | 'flow.best_of_mismatch' | 'flow.players_mismatch' | 'flow.flair_unknown' | 'flow.too_long' | 'flow.unreachable' | 'flow.last_left_drawn' | 'flow.draw_possible'
  /** As it is written, from 1; null for the flow as a whole. */
  readonly step: string | null
  readonly severity: 'error' | 'warning'
  /** What to do about it. */
  readonly message: string
}

export interface FlowProposal {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly seat: number
  readonly type: 'warning' | 'score_zero' | 'map_loss' | 'lose_bans' | 'lose_protects' | 'lose_replays' | 'lose_timeouts' | 'exclude' | 'points' | 'match_forfeit'
  /** That the seat is late. */
  readonly minutes: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
}

export interface FlowRules {
  readonly play: {
    readonly mode: 'best_of' | 'play_all'
    readonly maps?: number
  }
  readonly map: {
    readonly by: 'score' | 'accuracy' | 'misses'
    readonly team: 'sum' | 'mean' | 'top'
    readonly top: number | null
    readonly players: number | null
  }
  /** Under `none` a score above the maximum of its map is a warning, under `any` one above twice that. */
  readonly modifiers: 'any' | 'none'
  readonly zero: readonly ('failed' | 'quit')[]
  readonly pauseLimitSeconds: number | null
  readonly tie: readonly ('best_player' | 'fewer_misses' | 'replay' | 'other_map' | 'void')[]
  readonly tieReplays: number
  readonly decide: 'score_sum' | 'wins' | 'points'
  readonly points: readonly number[]
  readonly replays: {
    readonly rule: 'none' | 'better_of_each' | 'score_to_beat' | 'last_counts'
    readonly perMatch: number
    readonly perMap: number
    readonly by: 'team' | 'player'
    readonly windowSeconds: number
  }
  readonly technical: {
    readonly perMatch: number | null
    readonly counts: 'replace' | 'better'
  }
  readonly timeouts: {
    readonly count: number
    readonly seconds: number
  }
  readonly late: readonly {
    readonly afterMinutes: number
    readonly type: 'warning' | 'score_zero' | 'map_loss' | 'lose_bans' | 'lose_protects' | 'lose_replays' | 'lose_timeouts' | 'exclude' | 'points' | 'match_forfeit'
  }[]
  readonly lineup: {
    readonly changes: 'per_map' | 'per_match'
  }
  readonly protects: 'opponents' | 'everybody'
  readonly speakers: 'captain' | 'members'
  readonly graceSeconds: number
  readonly selfUndoSeconds: number
  readonly viewDelaySeconds: number
  readonly eliminate: number
}

export interface FlowScore {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** null where it is about no player, and for a seat that has a name and no team. */
  readonly user: string | null
  /** Of a seat that has a name and no team, in the place of a user; null for a seat with a team. */
  readonly name: string | null
  readonly seat: number
  /** In the pool of the session; null for a map that is not in it. */
  readonly map: string | null
  readonly chain: number
  readonly run: number
  readonly score: number
  /** Above 1 by modifiers. */
  readonly accuracy: number | null
  readonly misses: number | null
  readonly badCuts: number | null
  readonly maxCombo: number | null
  readonly completion: 'passed' | 'failed' | 'quit' | 'absent'
  readonly pausedSeconds: number | null
  readonly mods: readonly string[]
  readonly source: 'assistant' | 'manual' | 'import'
  readonly externalId: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly playedAt: string | null
  readonly evidenceUrl: string | null
  /** Whether it is the player’s score of the run. */
  readonly counts: boolean
  /** Why it does not count. */
  readonly why: 'second_report' | 'not_in_lineup' | 'wrong_map' | 'technical' | null
}

export interface FlowSeat {
  readonly seat: number
  /** null for a seat that has a name alone. */
  readonly team: TeamReference | null
  readonly name: string
  /** Who may act for it. */
  readonly speakers: readonly UserCard[]
  readonly present: boolean
  readonly roll: number | null
  /** By pair. */
  readonly places: Readonly<Record<string, number>>
  readonly wins: number
  readonly score: number
  readonly points: number
  readonly replaysLeft: number
  readonly timeoutsLeft: number
  readonly penalties: readonly FlowPenalty[]
  /** Of the map that is played, else the last that was named. */
  readonly lineup: readonly (string | null)[] | null
}

export interface FlowSession {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** null for a free session. */
  readonly match: string | null
  /** Whether others than referees and speakers see it. */
  readonly public: boolean
  readonly status: 'running' | 'paused' | 'over' | 'void'
  /** Of the last row that the viewer sees. */
  readonly position: number
  readonly flow: {
    /** GUID, in lower case in answers. */
    readonly guid: string | null
    readonly name: string
  }
  readonly pool: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string | null
  } | null
  readonly seats: readonly {
    readonly seat: number
    readonly team: TeamReference | null
    readonly name: string
  }[]
  readonly viewDelaySeconds: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endedAt: string | null
}

export interface FlowState {
  /** null before it begins. */
  readonly session: string | null
  /** null for a free session. */
  readonly match: string | null
  /** Whether others than referees and speakers see it. */
  readonly public: boolean
  readonly status: 'planned' | 'running' | 'paused' | 'over' | 'void'
  /** Of the last row; given as `expect` with every change. */
  readonly position: number
  /** `decided`: the match was opened again, and its maps still decide it; until one has another result, or a referee resumes with `play_on`. */
  readonly phase: 'starting' | 'choosing' | 'waiting' | 'playing' | 'window' | 'referee' | 'decided' | 'over'
  /** Why a referee is waited for. */
  readonly stuck: string | null
  /** When its steps begin, where that is later than the session. */
  readonly startsAt: string | null
  /** How much later outsiders see what happens. */
  readonly viewDelaySeconds: number
  /** As it was when the session began. */
  readonly flow: {
    /** null for a preset, and where the flow is gone. */
    readonly guid: string | null
    readonly name: string
    readonly seats: number
    /** null fits any match. */
    readonly bestOf: number | null
    readonly pairs: readonly string[]
    /** Steps, and blocks `{repeat, steps}` and `{each, steps}`. */
    readonly steps: readonly (FlowStep | {
      readonly repeat: number | 'until_decided'
      readonly steps: readonly (FlowStep | {
        readonly repeat: number | 'until_decided'
        readonly steps: readonly FlowStep[]
      } | {
        readonly each: string
        readonly steps: readonly FlowStep[]
      })[]
    } | {
      readonly each: string
      readonly steps: readonly (FlowStep | {
        readonly repeat: number | 'until_decided'
        readonly steps: readonly FlowStep[]
      } | {
        readonly each: string
        readonly steps: readonly FlowStep[]
      })[]
    })[]
    readonly rules: FlowRules
  } | null
  /** As it was when the session began. */
  readonly pool: {
    /** GUID, in lower case in answers. */
    readonly guid: string | null
    readonly name: string | null
    readonly maps: readonly {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly map: Map
      readonly flair: Flair | null
      /** Among the maps that the viewer sees, from 0. */
      readonly order: number
      readonly isTiebreaker: boolean
      /** The assistant’s GameOptions. */
      readonly modifiers: readonly ('NoFail' | 'NoBombs' | 'NoArrows' | 'NoObstacles' | 'SlowSong' | 'InstaFail' | 'FailOnClash' | 'BatteryEnergy' | 'FastNotes' | 'FastSong' | 'DisappearingArrows' | 'GhostNotes' | 'DemoNoFail' | 'DemoNoObstacles' | 'StrictAngles' | 'ProMode' | 'ZenMode' | 'SmallCubes' | 'SuperFastSong')[]
      /** The assistant’s PlayerOptions. */
      readonly playerOptions: readonly ('LeftHanded' | 'StaticLights' | 'NoHud' | 'AdvancedHud' | 'ReduceDebris' | 'AutoPlayerHeight' | 'NoFailEffects' | 'AutoRestart' | 'HideNoteSpawnEffect' | 'AdaptiveSfx' | 'ArcsHapticFeedback')[]
      readonly options: {
        readonly disablePause: boolean
        readonly disableFail: boolean
        readonly disableScoreSubmission: boolean
        readonly showScoreboard: boolean
        readonly disableCustomNotesOnStream: boolean
        readonly target: number | null
      }
      readonly attempts: number | null
      readonly weight: number
      readonly note: string | null
      /** When everybody may see it, where that is later than the pool’s publication. */
      readonly releaseAt: string | null
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly releasedAt: string | null
    }[]
  } | null
  readonly seats: readonly FlowSeat[]
  readonly maps: readonly {
    /** GUID, in lower case in answers. */
    readonly map: string
    readonly state: 'available' | 'banned' | 'protected' | 'picked' | 'tiebreaker' | 'playing' | 'played' | 'void'
    readonly seat: number | null
    readonly game: number | null
    readonly winner: number | null
  }[]
  readonly games: readonly FlowGame[]
  readonly turn: {
    /** As it is written. */
    readonly step: string
    readonly label: string | null
    readonly action: 'roll' | 'choose' | 'protect' | 'ban' | 'pick' | 'random' | 'tiebreaker' | 'flair_pick' | 'flair_ban' | 'lineup' | 'ready' | 'break' | 'play'
    /** Who acts. */
    readonly actor: 'seats' | 'referee' | 'system'
    /** That have not answered yet; in the phase `window`, that may still claim a replay or accept. */
    readonly seats: readonly number[]
    /** What may be chosen: maps, places, users. For whoever speaks for one of several seats, by that one; for all others, by any of them. */
    readonly options: readonly (string | number)[]
    /** That must answer. */
    readonly of: readonly number[]
    readonly done: readonly number[]
    /** That have accepted the result, and can claim no replay of it. */
    readonly accepted: readonly number[]
    /** Answers are for their seats alone until all have answered. */
    readonly secret: boolean
    /** Secret answers of the viewer’s own seats. */
    readonly own: readonly {
      readonly seat: number
      /** GUID, in lower case in answers. */
      readonly map: string | null
      /** GUIDs of users. */
      readonly users: readonly (string | null)[] | null
    }[]
    readonly game: number | null
    readonly run: number | null
  } | null
  readonly clock: {
    /** Position of the row that began it. */
    readonly number: number
    readonly seconds: number
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly dueAt: string | null
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly pausedAt: string | null
    readonly remainingMs: number | null
    /** Its time is over, and what follows of that is still to come. */
    readonly overdue: boolean
  } | null
  /** Maps won, by seat. */
  readonly scoreline: readonly number[]
  /** What is left to win, or to gain. */
  readonly needs: {
    readonly kind: 'maps' | 'score'
    /** Maps to win. */
    readonly bySeat?: readonly number[]
    readonly behind?: readonly number[]
    readonly mostPossible?: number | null
    readonly clinched?: number | null
  } | null
  /** Seats that need one more map. */
  readonly matchPoint: readonly number[] | null
  readonly claims: readonly FlowClaim[]
  /** For referees. */
  readonly warnings: readonly FlowWarning[]
  /** For referees: penalties of lateness. */
  readonly proposals: readonly FlowProposal[]
  readonly draws: {
    /** The GUID in the text of each draw: that of the session, or of the one that it is a copy of; null before it begins. */
    readonly drawnAs: string | null
    readonly commitment: string | null
    readonly nonces: readonly (string | null)[]
    /** Published when the session is over. */
    readonly seed: string | null
    readonly earlier: readonly {
      readonly commitment: string
      readonly seed: string | null
    }[]
  }
  readonly picksBans: readonly {
    readonly flowOrder: number
    /** GUID, in lower case in answers. */
    readonly mapGuid: string
    /** Team. */
    readonly actionerGuid: string | null
    readonly isPick: boolean
    readonly isBan: boolean
    readonly isTB: boolean
  }[]
  readonly winner: number | null
  /** Once it is over. */
  readonly ranking: readonly {
    readonly place: number
    readonly seat: number
    readonly points: number
    readonly score: number
    readonly wins: number
    readonly out: boolean
  }[] | null
  /** Position of the row that an undo by a referee would take back now; null where there is nothing to take back. */
  readonly lastUndoable: number | null
}

export interface FlowStep {
  readonly action: 'roll' | 'choose' | 'protect' | 'ban' | 'pick' | 'random' | 'tiebreaker' | 'flair_pick' | 'flair_ban' | 'lineup' | 'ready' | 'break' | 'play'
  /** The first that is known. */
  readonly actor: readonly string[]
  /** null for no clock. */
  readonly seconds: number | null
  readonly onTimeout: readonly ('again' | 'skip' | 'random' | 'opponent' | 'forfeit' | 'lose_map' | 'proceed' | 'hold')[]
  readonly from: {
    readonly flairs: readonly string[] | null
    readonly exceptFlairs: readonly string[]
    readonly tiebreakers: boolean
  }
  readonly limits: readonly {
    readonly other_flair_than: 'own_last' | 'own_all'
    readonly except: readonly string[]
  }[]
  readonly when: 'always' | 'all_at_match_point' | 'not_all_at_match_point'
  readonly times: number
  readonly secret: boolean
  readonly label: string | null
  readonly pair: string | null
  readonly source: 'flagged' | 'last_left' | null
}

export interface FlowWarning {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly code: 'score_above_max' | 'banned_mod' | 'paused' | 'wrong_map' | 'second_report' | 'accuracy_mismatch' | 'modifier_mismatch' | 'not_in_lineup' | 'referee_plays' | 'turn_after_correction'
  /** Keeps the map from becoming final. */
  readonly blocking: boolean
  readonly game: number | null
  readonly run: number | null
  readonly seat: number | null
  /** null where it is about no player, and for a seat that has a name and no team. */
  readonly user: string | null
  /** Of a seat that has a name and no team, in the place of a user; null for a seat with a team. */
  readonly name: string | null
  /** GUID, in lower case in answers. */
  readonly score: string | null
  /** Of a row in the log. */
  readonly position: number | null
}

export interface GameProposal {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** GUID, in lower case in answers. */
  readonly match: string
  /** The start of the song that it is about. */
  readonly play: string
  readonly game: number
  readonly run: number
  readonly map: PlayedMap
  readonly players: readonly {
    /** GUID, in lower case in answers. */
    readonly userGuid: string
    readonly side: number
    readonly score: number
    readonly maxScore: number | null
    readonly accuracy: number | null
    readonly misses: number | null
    readonly badCuts: number | null
    readonly goodCuts: number | null
    /** As it was told while the song was played. */
    readonly maxCombo: number | null
    readonly completion: 'passed' | 'failed' | 'quit'
    /** Seconds. */
    readonly endTime: number | null
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly receivedAt: string
  }[]
  /** By the rules of the flow, where there is one. */
  readonly sides: readonly {
    readonly score: number
    readonly accuracy: number | null
  }[]
  /** Provisional: side that would have the map. */
  readonly winner: number | null
  readonly warnings: readonly {
    readonly code: string
    /** null for what is about the whole song. */
    readonly user: string | null
  }[]
  readonly source: 'assistant' | 'game' | 'manual'
  readonly status: 'collecting' | 'proposed' | 'accepted' | 'rejected' | 'superseded'
  /** null while nobody has decided, and where it accepted itself. */
  readonly decidedBy: UserCard | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly decidedAt: string | null
  readonly reason: string | null
  readonly provenance: {
    readonly serverHost: string | null
    readonly serverVersion: number | null
    /** GUID at the assistant. */
    readonly assistantMatch: string | null
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly receivedAt: string
  }
  /** When it accepts itself, unless somebody decides before. */
  readonly acceptAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
}

export interface Horizon {
  readonly mode: 'open' | 'held'
  /** How late everybody but the staff sees the competition. */
  readonly delaySeconds: number
  /** The instant whose state they see; null where they see the present. */
  readonly horizon: string | null
  /** How many changes are not shown yet. */
  readonly waiting: number
}

export interface Import {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly pool: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string
  }
  readonly source: {
    readonly kind: 'text' | 'playlist' | 'pool'
    /** The title of the playlist, or the name of the pool. */
    readonly label: string | null
  }
  /** Nothing was added: these are the outcomes that the import would have had. */
  readonly dryRun: boolean
  readonly status: 'running' | 'done' | 'failed'
  /** Why it failed as a whole, as the code of a problem: nothing was added. */
  readonly reason: string | null
  readonly counts: {
    readonly added: number
    readonly present: number
    readonly choice: number
    readonly missing: number
    readonly pending: number
    readonly rejected: number
  }
  /** null once the account is gone. */
  readonly startedBy: UserCard | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly finishedAt: string | null
  /** In the order of the source; none while it is running. */
  readonly rows: readonly {
    readonly index: number
    readonly input: string
    /** `added`; `present`: it stands in the pool, or earlier in the import; `choice`: say which difficulty is meant; `missing`: the catalogue does not have it; `pending`: the catalogue did not answer; `rejected`. Of `missing` and `pending` ones those with a `map` were added. */
    readonly outcome: 'added' | 'present' | 'choice' | 'missing' | 'pending' | 'rejected'
    /** As the code of a problem. */
    readonly reason: string | null
    readonly map: Map | null
    /** Of the map as it stands in the pool. */
    readonly poolMapGuid: string | null
    /** The difficulties that the map has, where one is to be chosen. */
    readonly choices: readonly {
      readonly characteristic: string
      readonly difficulty: 'Easy' | 'Normal' | 'Hard' | 'Expert' | 'ExpertPlus'
    }[]
  }[]
}

export interface ListedBracket {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** GUID, in lower case in answers. */
  readonly division: string
  readonly name: string
  /** Brackets of a division are listed by it. */
  readonly order: number
  readonly format: 'single_elimination' | 'double_elimination' | 'round_robin' | 'swiss'
  readonly settings: {
    /** Games at most; odd. */
    readonly bestOf: number
    /** By `section:round`. */
    readonly bestOfByRound: Readonly<Record<string, number>>
    readonly seedOrdering: 'standard' | 'natural' | 'manual'
    readonly thirdPlace?: boolean
    readonly grandFinal?: 'none' | 'single' | 'reset'
    readonly groups?: number
    readonly legs?: number
    readonly distribution?: 'snake' | 'sequential'
    readonly points?: {
      readonly win: number
      readonly draw: number
      readonly loss: number
    }
    readonly allowDraws?: boolean
    readonly rounds?: number
    readonly byePoints?: number
    readonly avoidRematches?: boolean
    readonly tieBreakers: readonly ('points' | 'head_to_head' | 'game_difference' | 'games_won' | 'buchholz' | 'median_buchholz' | 'sonneborn_berger' | 'score_total' | 'seed')[]
  }
  /** A draft has a place without a team; nothing in it can be played. */
  readonly status: 'draft' | 'ready' | 'running' | 'completed'
  readonly entrants: readonly {
    /** Place in the bracket, from 1. */
    readonly slot: number
    /** It belongs to the place: teams that change places change seeds. */
    readonly seed: number | null
    /** null for a place that is not taken yet. */
    readonly team: TeamReference | null
    /** Of a team that has left: whether its results stay, or do not count. */
    readonly withdrawal: 'walkover' | 'void' | null
  }[]
  /** In the order of play; Swiss brackets get theirs one by one. */
  readonly rounds: readonly {
    /** Within the section, from 1. */
    readonly number: number
    readonly section: 'upper' | 'lower' | 'final' | 'third_place' | 'group' | 'swiss'
    readonly name: string
    /** Games at most; odd. */
    readonly bestOf: number
    readonly matchGuids: readonly string[]
  }[]
  /** Grows with every change of the bracket or of a match. */
  readonly revision: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
  /** True where the tournament has more entrants and matches than one reply holds: then `entrants` and `rounds` are empty here, and the bracket itself tells them. */
  readonly limited?: boolean
}

export interface ListedTournament {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Short id. */
  readonly id: string
  readonly name: string
  /** Plain text. */
  readonly summary: string | null
  /** Markdown; its first 500 characters, unless `include` has `texts`. */
  readonly description: string | null
  /** Markdown; its first 500 characters, unless `include` has `texts`. */
  readonly rules: string | null
  /** Markdown; its first 500 characters, unless `include` has `texts`. */
  readonly prizes: string | null
  readonly imageUrl: string | null
  readonly bannerUrl: string | null
  readonly status: 'draft' | 'approved' | 'ongoing' | 'completed' | 'cancelled'
  /** IANA name. */
  readonly timezone: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly registrationOpensAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly registrationClosesAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly rosterLocksAt: string | null
  readonly teamSize: {
    readonly min: number
    readonly max: number
    readonly active: number
  }
  /** Registered teams at most; null for no limit. */
  readonly capacity: number | null
  readonly publicRegistration: boolean
  readonly requirements: {
    readonly countries?: readonly string[]
    /** 1 is the best rank. */
    readonly rankA?: {
      readonly min?: number
      readonly max?: number
    }
    /** 1 is the best rank. */
    readonly rankB?: {
      readonly min?: number
      readonly max?: number
    }
    readonly rankingA?: boolean
    readonly rankingB?: boolean
    readonly emailVerified?: boolean
    readonly chatAccountAgeDays?: number
    readonly verifiedLinks?: boolean
  }
  readonly links: {
    readonly chatInvite: string | null
    readonly website: string | null
    readonly stream: string | null
    readonly rulesUrl: string | null
  }
  /** `configured` or null, for those who may change settings. */
  readonly chatWebhookUrl?: string | null
  /** Further chat channels, for those who may change settings. */
  readonly chatWebhooks?: readonly {
    readonly label: string
    /** Always `configured`. */
    readonly url: string
  }[]
  /** What the chat is told by itself, and in which channel; kinds that are off are absent. For those who may change settings. */
  readonly announcements?: {
    readonly match_called?: string
    readonly match_started?: string
    readonly match_finished?: string
    readonly round_ready?: string
    readonly schedule_changed?: string
    readonly registration_opened?: string
    readonly registration_closing?: string
    readonly team_registered?: string
    readonly bracket_published?: string
    readonly pool_published?: string
    readonly stream_live?: string
    readonly placements?: string
  }
  /** IDs of the chat’s roles that are mentioned. For those who may change settings. */
  readonly announcementRoles?: {
    readonly match_called?: readonly string[]
    readonly match_started?: readonly string[]
    readonly match_finished?: readonly string[]
    readonly round_ready?: readonly string[]
    readonly schedule_changed?: readonly string[]
    readonly registration_opened?: readonly string[]
    readonly registration_closing?: readonly string[]
    readonly team_registered?: readonly string[]
    readonly bracket_published?: readonly string[]
    readonly pool_published?: readonly string[]
    readonly stream_live?: readonly string[]
    readonly placements?: readonly string[]
  }
  /** BCP 47, of the texts that the service writes. */
  readonly language: string
  /** By so much, or by the longest delay of its channels, results are late for whoever asks for them with `delayed`. */
  readonly streamDelaySeconds: number
  /** Who may follow scores while a map is played. */
  readonly liveScores: 'public' | 'staff'
  /** `held`: everybody but the staff sees the competition late. */
  readonly spoilerMode: 'open' | 'held'
  readonly organiser: UserCard
  readonly visibilityScope: 'all' | 'selected'
  readonly counts: {
    readonly teams: number
    /** Qualified teams included. */
    readonly registered: number
    readonly qualified: number
    readonly players: number
  }
  readonly placements: readonly {
    readonly place: number
    readonly team: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly id: string
      readonly name: string
      readonly imageUrl: string | null
    }
  }[]
  /** What its organisers told of its cancellation. */
  readonly cancelReason: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
  readonly additionalFields?: readonly AdditionalField[]
}

export interface ListedTournamentUpdate {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Plain text; may be empty. */
  readonly title: string
  /** Markdown. */
  readonly content: string
  readonly changes: readonly Readonly<Record<string, unknown>>[]
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** null until the first edit; `expectedUpdatedAt` of the next one. */
  readonly updatedAt: string | null
  readonly html?: RenderedUpdate
  readonly delivery?: UpdateDelivery
}

export interface LiveScore {
  readonly score?: number | null
  readonly modifiedScore?: number | null
  readonly maxScore?: number | null
  readonly accuracy?: number | null
  readonly combo?: number | null
  readonly maxCombo?: number | null
  readonly misses?: number | null
  readonly badCuts?: number | null
  readonly bombHits?: number | null
  readonly wallHits?: number | null
  readonly health?: number | null
  /** Seconds. */
  readonly songTime?: number | null
  readonly left?: {
    readonly hits?: number | null
    readonly misses?: number | null
    readonly badCuts?: number | null
    /** Mean points of a cut: before it, by its accuracy, after it. */
    readonly cut?: readonly number[] | null
  } | null
  readonly right?: {
    readonly hits?: number | null
    readonly misses?: number | null
    readonly badCuts?: number | null
    /** Mean points of a cut: before it, by its accuracy, after it. */
    readonly cut?: readonly number[] | null
  } | null
  readonly fullCombo?: boolean | null
  readonly state?: 'playing' | 'paused' | 'failed' | 'finished' | 'disconnected' | null
}

export interface Map {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Of the song’s files, in lower case. */
  readonly hash: string
  readonly characteristic: string
  readonly difficulty: 'Easy' | 'Normal' | 'Hard' | 'Expert' | 'ExpertPlus'
  /** Of the song in the catalogue, in lower case. */
  readonly key: string | null
  readonly name: string | null
  readonly subName: string | null
  readonly artist: string | null
  readonly mapper: string | null
  readonly imageUrl: string | null
  readonly previewUrl: string | null
  readonly bpm: number | null
  /** The speed at which notes come. */
  readonly njs: number | null
  /** Notes per second, over the whole map. */
  readonly nps: number | null
  readonly durationSeconds: number | null
  readonly notes: number | null
  readonly bombs: number | null
  readonly obstacles: number | null
  /** The highest score that it allows, as the catalogue says. */
  readonly maxScore: number | null
  /** Its difficulty on ranking platform A. */
  readonly starsA: number | null
  /** Its difficulty on ranking platform B. */
  readonly starsB: number | null
  readonly rankedA: boolean | null
  readonly rankedB: boolean | null
  /** Modifications of the game that it needs. */
  readonly requirements: readonly ('chroma' | 'noodle' | 'mapping_extensions' | 'cinema' | 'vivify')[]
  /** Whether a machine made it. */
  readonly ai: 'none' | 'declared' | 'automapper' | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly uploadedAt: string | null
  /** Last answer of the catalogue; for poolers of a pool in which it stands. */
  readonly checkedAt: string | null
  /** `known`: the catalogue publishes this version; `unresolved`: it has not answered yet; `missing`: it publishes none; `outdated`: it publishes another one. */
  readonly state: 'known' | 'unresolved' | 'missing' | 'outdated'
  /** Of the version that is published now, when this one is outdated. */
  readonly currentHash: string | null
}

export interface Match {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Stable, and unique in the division. */
  readonly number: number
  /** GUID, in lower case in answers. */
  readonly division: string
  /** GUID, in lower case in answers. */
  readonly bracket: string
  readonly section: 'upper' | 'lower' | 'final' | 'third_place' | 'group' | 'swiss'
  /** Within the section, from 1. */
  readonly round: number
  /** Group of a round robin, from 0. */
  readonly groupIndex: number | null
  readonly status: 'locked' | 'waiting' | 'ready' | 'running' | 'completed' | 'cancelled'
  readonly outcome: 'score' | 'walkover' | 'double_forfeit' | 'draw' | 'bye' | null
  readonly sides: readonly {
    /** null while nobody is known, and for byes. */
    readonly team: TeamReference | null
    /** The match whose winner or loser plays here; it stays when the team is known. */
    readonly from: {
      /** GUID, in lower case in answers. */
      readonly matchGuid: string
      readonly number: number
      readonly outcome: 'winner' | 'loser'
    } | null
    /** Nobody plays here, by the bracket itself. */
    readonly bye: boolean
    /** Games won, or what the result was given with. */
    readonly score: number | null
    readonly result: 'win' | 'loss' | 'draw' | 'forfeit' | null
  }[]
  readonly bestOf: number
  readonly winsNeeded: number
  readonly games: readonly {
    readonly number: number
    readonly map?: {
      readonly hash: string
      readonly difficulty: string
      readonly characteristic: string
      readonly name?: string
    }
    readonly sides: readonly {
      /** Points; null where they are not known. */
      readonly score: number | null
      readonly accuracy?: number
      readonly completion?: 'passed' | 'failed' | 'quit'
    }[]
    /** Number of the side; null for a tie, which does not count. */
    readonly winner: 1 | 2 | null
    readonly players?: readonly {
      /** GUID, in lower case in answers. */
      readonly userGuid: string
      readonly side: number
      readonly score: number
      readonly accuracy?: number
    }[]
  }[]
  /** Played only if the match before makes it necessary, and cancelled otherwise. */
  readonly conditional: boolean
  /** Where the winner goes. */
  readonly nextMatchGuid: string | null
  /** Where the loser goes. */
  readonly loserMatchGuid: string | null
  /** Why the pair was made, in Swiss brackets. */
  readonly pairing: {
    /** Points of the group that the pair was made in. */
    readonly group: number
    /** A team came down from a higher group. */
    readonly floated: boolean
    readonly reason: string
  } | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly scheduledAt: string | null
  /** When its teams were last called to play. */
  readonly calledAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startedAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly completedAt: string | null
  readonly streamUrl: string | null
  readonly vodUrl: string | null
  readonly officials: readonly {
    readonly user: UserCard
    readonly role: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee'
  }[]
  /** The map pool that it was begun with, by a flow that everybody sees; until then the one that is planned for it: but for poolers, null until that is published with all its maps. */
  readonly pool: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string
  } | null
  /** For the tournament’s staff; null for everybody else. */
  readonly notes: string | null
  /** Grows with every change that everybody sees. */
  readonly revision: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface MatchCall {
  /** Plain text, for the notification and the chat. */
  readonly message?: string
}

export interface MatchCard {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Stable, and unique in the division. */
  readonly number: number
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    /** Short id. */
    readonly id: string
    readonly name: string
    readonly imageUrl: string | null
    /** IANA name. */
    readonly timezone: string
  }
  readonly division: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    /** Short id. */
    readonly id: string
    readonly name: string
  }
  readonly bracket: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string
  }
  readonly section: 'upper' | 'lower' | 'final' | 'third_place' | 'group' | 'swiss'
  /** Within the section, from 1. */
  readonly round: number
  /** As its bracket names it. */
  readonly roundName: string
  readonly status: 'locked' | 'waiting' | 'ready' | 'running' | 'completed' | 'cancelled'
  readonly outcome: 'score' | 'walkover' | 'double_forfeit' | 'draw' | 'bye' | null
  readonly sides: readonly {
    /** null while nobody is known, and for byes. */
    readonly team: TeamReference | null
    /** The match whose winner or loser plays here; it stays when the team is known. */
    readonly from: {
      /** GUID, in lower case in answers. */
      readonly matchGuid: string
      readonly number: number
      readonly outcome: 'winner' | 'loser'
    } | null
    /** Nobody plays here, by the bracket itself. */
    readonly bye: boolean
    /** Games won, or what the result was given with. */
    readonly score: number | null
    readonly result: 'win' | 'loss' | 'draw' | 'forfeit' | null
  }[]
  readonly bestOf: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly scheduledAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startedAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly completedAt: string | null
  readonly streamUrl: string | null
  readonly vodUrl: string | null
}

export interface MatchCorrection {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly before: AffectedMatchState
  readonly after: AffectedMatchState
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly undoneAt: string | null
}

export interface NewTournamentUpdate {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Markdown. */
  readonly content: string
  /** Plain text. */
  readonly title?: string
  /** Before/after cards, free in form; at most 24,000 characters of JSON and 500 texts altogether. Their texts are Markdown; together they may hold as much markup as one long text. */
  readonly changes?: readonly Readonly<Record<string, unknown>>[]
  /** Needs a chat webhook; false unless given. */
  readonly sendToChat?: boolean
}

export interface NominatedTeam {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly id: string
  readonly name: string
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
  }
}

export interface NominatedTournament {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly id: string
  readonly name: string
}

export interface NominatedUser {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly preferredName: string
}

export interface Nominee {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly label: string
  readonly imageUrl: string | null
  readonly link: string | null
  /** Plain text. */
  readonly description: string
  readonly user: NominatedUser | null
  readonly tournament: NominatedTournament | null
  /** Null for what is no team, and for one that is gone, or that not everybody may see. */
  readonly team: NominatedTeam | null
  /** It cannot be voted for; votes for it are void. */
  readonly declined: boolean
  /** Users whose nominations it stands for, for managers; null for others. */
  readonly nominations: number | null
  /** Null until the results are published, and for who has declined. */
  readonly result: NomineeResult | null
}

export interface NomineeResult {
  /** Null where nobody voted. */
  readonly place: number | null
  /** Null where the edition shows no counts. */
  readonly votes: number | null
  /** Of the ballots in the category, 0 to 1; null where the edition shows no counts. */
  readonly share: number | null
  readonly winner: boolean
}

/** A message of those who run the site to its visitors. */
export interface Notice {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly title: string
  /** Markdown. */
  readonly content: string
  readonly level: 'info' | 'warning' | 'critical'
  readonly link: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt: string
  /** Null while nobody has set an end. */
  readonly endsAt: string | null
  /** Whether a visitor may put it away. */
  readonly dismissible: boolean
  /** Whom it is meant for; `staff` is whoever holds a global role, is a member of a platform, organises a tournament or holds a role in one. */
  readonly audience: 'everyone' | 'signed-in' | 'staff'
  readonly html?: RenderedNotice
}

/** A message of the service to one user. */
export interface Notification {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** What it is about, as `noun.reason`. */
  readonly type: string
  readonly title: string
  /** Plain text; may be empty. */
  readonly body: string
  /** GUIDs and words of what it is about, such as `tournamentGuid`. */
  readonly data: Readonly<Record<string, unknown>>
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly readAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
}

/** What a broadcast shows of a tournament. */
export interface Overlay {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
  }
  readonly name: string
  /** Who may read what its page needs. */
  readonly access: 'token' | 'public'
  /** What it points at; null for nothing. */
  readonly match: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly number: number
  } | null
  /** Who may change its scenes by name. For staff and editors, as are `draft` and `dirty`. */
  readonly editors?: readonly UserCard[]
  /** Of what is published or, before that, of the draft. */
  readonly canvas: {
    /** In pixels. */
    readonly width: number
    /** In pixels. */
    readonly height: number
  }
  readonly draft?: {
    /** Grows with each change that is stored. */
    readonly revision: number
    /** Another one where its history began anew. */
    readonly generation: number
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly updatedAt: string
    /** null for somebody who is gone. */
    readonly updatedBy: UserCard | null
  }
  /** What its pages show; null as long as nothing was published. */
  readonly published: {
    readonly version: number
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly publishedAt: string
    /** null for somebody who is gone. */
    readonly publishedBy: UserCard | null
  } | null
  /** Whether the draft is another document than what is published. */
  readonly dirty?: boolean
  readonly urls: {
    /** For broadcasting programs, with a `#` and a view token behind it or, where everybody may see it, the GUID of the overlay. */
    readonly live: string
    /** Where its scenes are changed. */
    readonly manage: string
    /** Where it is decided what is shown. */
    readonly control: string
    /** The same beside what coordinators of its match need. */
    readonly coordinate: string
  }
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** Of the record: its scenes and what is shown change without it. */
  readonly updatedAt: string
}

export interface OverlayCaster {
  readonly name: string
  /** Empty where none are told. */
  readonly pronouns: string
  /** Of own media, or the picture of the user. */
  readonly imageUrl: string | null
  /** Where they are found elsewhere; may be empty. */
  readonly handle: string
  /** Of the user, where the caster is one. */
  readonly userGuid: string | null
}

/** What an overlay shows now. */
export interface OverlayControl {
  /** Id of the scene of the published document that is shown; null until one is published. */
  readonly scene: string | null
  /** The match that the overlay points at. */
  readonly matchGuid: string | null
  /** Whether the second side of the match is shown first. */
  readonly swapSides: boolean
  /** Whether the card of the present map is shown: as the scene has it, always, or never. */
  readonly mapCard: 'auto' | 'shown' | 'hidden'
  readonly audio: {
    /** Whose sound is heard: 0 the first side’s that is shown, 1 the second’s, 2 both. */
    readonly active: number
    readonly muted: boolean
    /** 0 to 1. */
    readonly volume: number
  }
  /** At most three. */
  readonly casters: readonly OverlayCaster[]
  /** A line of text; may be empty. */
  readonly flavour: string
  /** GUIDs of matches, at most eight. */
  readonly highlighted: readonly string[]
  /** What the countdown of the scenes runs to. */
  readonly countdownTo: string | null
  /** Whether nothing is shown at all. */
  readonly blank: boolean
  /** Values of one’s own, which scenes may be bound to, by their names. */
  readonly custom: Readonly<Record<string, unknown>>
  /** Whether scenes follow the match, and the end of the tournament, by themselves. */
  readonly autoAdvance: boolean
  /** How long the summary of a game is shown then. */
  readonly autoDelayMs: number
  /** Grows with each change; 0 before the first. */
  readonly revision: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
  /** Who changed it last; for staff and editors alone. Null where the match has. */
  readonly updatedBy?: UserCard | null
}

/** What scenes are bound to, as everybody may see it. */
export interface OverlayData {
  /** The tournament */
  readonly tournament: {
    /** Of the tournament */
    readonly guid: string | null
    /** Short id */
    readonly id: string | null
    /** Name */
    readonly name: string | null
    /** Picture */
    readonly imageUrl: string | null
    /** Banner */
    readonly bannerUrl: string | null
    /** IANA name */
    readonly timezone: string | null
  } | null
  /** The match that the overlay points at */
  readonly match: {
    /** Of the match */
    readonly guid: string | null
    /** In its division */
    readonly number: number | null
    /** Bracket, section and round */
    readonly label: string | null
    /** Status */
    readonly status: string | null
    /** Maps at most */
    readonly bestOf: number | null
    /** Maps to win */
    readonly winsNeeded: number | null
    /** When it is planned */
    readonly scheduledAt: string | null
    /** When it began */
    readonly startedAt: string | null
    /** How it ended */
    readonly outcome: string | null
  } | null
  /** Both sides, in the order in which they are shown */
  readonly sides: readonly {
    /** 1 or 2 in the match, whichever is shown first */
    readonly number: number | null
    /** The team */
    readonly team: {
      /** Of the team */
      readonly guid: string | null
      /** Name */
      readonly name: string | null
      /** Picture */
      readonly imageUrl: string | null
      /** Colour */
      readonly color: string | null
      /** Whether it is one player */
      readonly isSolo: boolean | null
      /** Seed */
      readonly seed: number | null
    } | null
    /** Such as “Winner of match 12”, while the team is not known */
    readonly placeholder: string | null
    /** Maps won */
    readonly score: number | null
    /** win, loss or draw */
    readonly result: string | null
    /** Players */
    readonly players: readonly {
      /** Of the user */
      readonly guid: string | null
      /** Name */
      readonly name: string | null
      /** Picture */
      readonly avatarUrl: string | null
      /** Two letters */
      readonly country: string | null
      /** Pronouns */
      readonly pronouns: string | null
      /** Headset */
      readonly headset: string | null
      /** Rank on the first ranking platform */
      readonly rankA: number | null
      /** Rank on the second ranking platform */
      readonly rankB: number | null
      /** What the player streams */
      readonly stream: {
        /** Whether the player is live */
        readonly live: boolean | null
        /** WHEP */
        readonly whep: string | null
        /** Low-latency HLS */
        readonly llhls: string | null
        /** HLS */
        readonly hls: string | null
        /** Player of the streaming site */
        readonly embed: string | null
      } | null
    }[]
  }[]
  /** The current map */
  readonly map: {
    /** Of the map in the catalogue */
    readonly guid: string | null
    /** Of the map */
    readonly hash: string | null
    /** By which the map is found on the map platform */
    readonly key: string | null
    /** Title of the song */
    readonly name: string | null
    /** Second title of the song */
    readonly subName: string | null
    /** Who made the song */
    readonly artist: string | null
    /** Who made the map */
    readonly mapper: string | null
    /** Cover */
    readonly imageUrl: string | null
    /** Such as Standard or OneSaber */
    readonly characteristic: string | null
    /** Such as ExpertPlus */
    readonly difficulty: string | null
    /** Beats per minute */
    readonly bpm: number | null
    /** Speed of notes */
    readonly njs: number | null
    /** Notes per second */
    readonly nps: number | null
    /** How long the song is */
    readonly durationSeconds: number | null
    /** How many there are */
    readonly notes: number | null
    /** The most that can be had */
    readonly maxScore: number | null
    /** Stars on the first ranking platform */
    readonly starsA: number | null
    /** Stars on the second ranking platform */
    readonly starsB: number | null
    /** Flair of the map in its pool */
    readonly flair: {
      /** Name */
      readonly name: string | null
      /** Colour */
      readonly color: string | null
      /** Icon */
      readonly icon: string | null
    } | null
    /** Modifiers that are set */
    readonly modifiers: readonly string[]
    /** Side that picked it */
    readonly pickedBy: number | null
    /** Whether it is the tiebreaker */
    readonly isTiebreaker: boolean | null
    /** Score that is to be reached */
    readonly target: number | null
  } | null
  /** Picks and bans, in their order */
  readonly pickBans: readonly {
    /** Counted from 1 */
    readonly number: number | null
    /** Such as pick or ban */
    readonly action: string | null
    /** Side that acted */
    readonly side: number | null
    /** The map */
    readonly map: {
      /** Of the map in the catalogue */
      readonly guid: string | null
      /** Of the map */
      readonly hash: string | null
      /** By which the map is found on the map platform */
      readonly key: string | null
      /** Title of the song */
      readonly name: string | null
      /** Second title of the song */
      readonly subName: string | null
      /** Who made the song */
      readonly artist: string | null
      /** Who made the map */
      readonly mapper: string | null
      /** Cover */
      readonly imageUrl: string | null
      /** Such as Standard or OneSaber */
      readonly characteristic: string | null
      /** Such as ExpertPlus */
      readonly difficulty: string | null
      /** Beats per minute */
      readonly bpm: number | null
      /** Speed of notes */
      readonly njs: number | null
      /** Notes per second */
      readonly nps: number | null
      /** How long the song is */
      readonly durationSeconds: number | null
      /** How many there are */
      readonly notes: number | null
      /** The most that can be had */
      readonly maxScore: number | null
      /** Stars on the first ranking platform */
      readonly starsA: number | null
      /** Stars on the second ranking platform */
      readonly starsB: number | null
      /** Flair of the map in its pool */
      readonly flair: {
        /** Name */
        readonly name: string | null
        /** Colour */
        readonly color: string | null
        /** Icon */
        readonly icon: string | null
      } | null
      /** Modifiers that are set */
      readonly modifiers: readonly string[]
    } | null
  }[]
  /** The pool */
  readonly pool: {
    /** Name */
    readonly name: string | null
    /** Its maps */
    readonly maps: readonly {
      /** Of the map in the catalogue */
      readonly guid: string | null
      /** Of the map */
      readonly hash: string | null
      /** By which the map is found on the map platform */
      readonly key: string | null
      /** Title of the song */
      readonly name: string | null
      /** Second title of the song */
      readonly subName: string | null
      /** Who made the song */
      readonly artist: string | null
      /** Who made the map */
      readonly mapper: string | null
      /** Cover */
      readonly imageUrl: string | null
      /** Such as Standard or OneSaber */
      readonly characteristic: string | null
      /** Such as ExpertPlus */
      readonly difficulty: string | null
      /** Beats per minute */
      readonly bpm: number | null
      /** Speed of notes */
      readonly njs: number | null
      /** Notes per second */
      readonly nps: number | null
      /** How long the song is */
      readonly durationSeconds: number | null
      /** How many there are */
      readonly notes: number | null
      /** The most that can be had */
      readonly maxScore: number | null
      /** Stars on the first ranking platform */
      readonly starsA: number | null
      /** Stars on the second ranking platform */
      readonly starsB: number | null
      /** Flair of the map in its pool */
      readonly flair: {
        /** Name */
        readonly name: string | null
        /** Colour */
        readonly color: string | null
        /** Icon */
        readonly icon: string | null
      } | null
      /** Modifiers that are set */
      readonly modifiers: readonly string[]
      /** Such as free, banned, picked, protected or played */
      readonly state: string | null
      /** Side that made it so */
      readonly side: number | null
      /** Side that won it */
      readonly winner: number | null
      /** Whether it is a tiebreaker of the pool */
      readonly isTiebreaker: boolean | null
    }[]
  } | null
  /** Picking and playing */
  readonly flow: {
    /** What is under way */
    readonly phase: string | null
    /** Whose turn it is */
    readonly turn: {
      /** What is to be done */
      readonly action: string | null
      /** Which side */
      readonly side: number | null
      /** Which run of the map */
      readonly run: number | null
    } | null
    /** The clock of the turn */
    readonly clock: {
      /** When time is over */
      readonly dueAt: string | null
      /** What is left while it is paused */
      readonly remainingMs: number | null
      /** Since when it is paused */
      readonly pausedAt: string | null
      /** What the turn has */
      readonly seconds: number | null
    } | null
    /** Sides that win with the next map */
    readonly matchPoint: readonly number[]
    /** What the sides have left */
    readonly seats: readonly {
      /** Replays; nothing where there are none */
      readonly replaysLeft: number | null
      /** Timeouts; nothing where there are none */
      readonly timeoutsLeft: number | null
    }[]
  } | null
  /** Maps as they were played */
  readonly games: readonly {
    /** Counted from 1 */
    readonly number: number | null
    /** The map */
    readonly map: {
      /** Of the map in the catalogue */
      readonly guid: string | null
      /** Of the map */
      readonly hash: string | null
      /** By which the map is found on the map platform */
      readonly key: string | null
      /** Title of the song */
      readonly name: string | null
      /** Second title of the song */
      readonly subName: string | null
      /** Who made the song */
      readonly artist: string | null
      /** Who made the map */
      readonly mapper: string | null
      /** Cover */
      readonly imageUrl: string | null
      /** Such as Standard or OneSaber */
      readonly characteristic: string | null
      /** Such as ExpertPlus */
      readonly difficulty: string | null
      /** Beats per minute */
      readonly bpm: number | null
      /** Speed of notes */
      readonly njs: number | null
      /** Notes per second */
      readonly nps: number | null
      /** How long the song is */
      readonly durationSeconds: number | null
      /** How many there are */
      readonly notes: number | null
      /** The most that can be had */
      readonly maxScore: number | null
      /** Stars on the first ranking platform */
      readonly starsA: number | null
      /** Stars on the second ranking platform */
      readonly starsB: number | null
      /** Flair of the map in its pool */
      readonly flair: {
        /** Name */
        readonly name: string | null
        /** Colour */
        readonly color: string | null
        /** Icon */
        readonly icon: string | null
      } | null
      /** Modifiers that are set */
      readonly modifiers: readonly string[]
    } | null
    /** Side that picked it */
    readonly pickedBy: number | null
    /** Whether it is a tiebreaker of the pool */
    readonly isTiebreaker: boolean | null
    /** What is under way */
    readonly phase: string | null
    /** Both sides */
    readonly sides: readonly {
      /** Score */
      readonly score: number | null
      /** 0 to 2; above 1 with modifiers alone */
      readonly accuracy: number | null
    }[]
    /** Whether it may change */
    readonly provisional: boolean | null
    /** Side that won */
    readonly winner: number | null
    /** Why */
    readonly because: string | null
    /** Which run of the map */
    readonly run: number | null
    /** Score to beat */
    readonly scoreToBeat: number | null
  }[]
  /** Matches around this one */
  readonly bracket: {
    /** Those that decide who plays here */
    readonly before: readonly OverlayMatch[]
    /** Where the winner goes, and the loser */
    readonly after: readonly OverlayMatch[]
    /** The next ones */
    readonly upcoming: readonly OverlayMatch[]
    /** The last ones */
    readonly recent: readonly OverlayMatch[]
    /** Those that controllers chose */
    readonly highlighted: readonly OverlayMatch[]
  } | null
  /** Table of the bracket */
  readonly standings: readonly {
    /** Place */
    readonly rank: number | null
    /** Team or player */
    readonly name: string | null
    /** Picture */
    readonly imageUrl: string | null
    /** Matches played */
    readonly played: number | null
    /** Matches won */
    readonly won: number | null
    /** Matches lost */
    readonly lost: number | null
    /** Points */
    readonly points: number | null
    /** What the rank was found by */
    readonly value: number | null
    /** Whether it goes on */
    readonly isQualified: boolean | null
  }[]
  /** Table of the qualifier */
  readonly qualifier: readonly {
    /** Place */
    readonly rank: number | null
    /** Team or player */
    readonly name: string | null
    /** Picture */
    readonly imageUrl: string | null
    /** Matches played */
    readonly played: number | null
    /** Matches won */
    readonly won: number | null
    /** Matches lost */
    readonly lost: number | null
    /** Points */
    readonly points: number | null
    /** What the rank was found by */
    readonly value: number | null
    /** Whether it goes on */
    readonly isQualified: boolean | null
  }[]
  /** Placements */
  readonly winners: readonly {
    /** Place */
    readonly place: number | null
    /** Team */
    readonly name: string | null
    /** Picture */
    readonly imageUrl: string | null
  }[]
  /** Matches of the winner, the last one first */
  readonly road: readonly OverlayMatch[]
  /** Of all completed matches */
  readonly statistics: {
    /** Highest accuracy */
    readonly highestAccuracy: {
      /** Whose it is */
      readonly name: string | null
      /** How much it is */
      readonly value: number | null
      /** Number of the match */
      readonly match: number | null
      /** Title of the map */
      readonly map: string | null
    } | null
    /** Most misses */
    readonly mostMisses: {
      /** Whose it is */
      readonly name: string | null
      /** How much it is */
      readonly value: number | null
      /** Number of the match */
      readonly match: number | null
      /** Title of the map */
      readonly map: string | null
    } | null
    /** Most replays */
    readonly mostReplays: {
      /** Whose it is */
      readonly name: string | null
      /** How much it is */
      readonly value: number | null
      /** Number of the match */
      readonly match: number | null
      /** Title of the map */
      readonly map: string | null
    } | null
    /** Longest match */
    readonly longest: {
      /** Whose it is */
      readonly name: string | null
      /** How much it is */
      readonly value: number | null
      /** Number of the match */
      readonly match: number | null
      /** Title of the map */
      readonly map: string | null
    } | null
    /** Shortest match */
    readonly shortest: {
      /** Whose it is */
      readonly name: string | null
      /** How much it is */
      readonly value: number | null
      /** Number of the match */
      readonly match: number | null
      /** Title of the map */
      readonly map: string | null
    } | null
  } | null
}

export interface OverlayMatch {
  /** Of the match */
  readonly guid: string | null
  /** In its division */
  readonly number: number | null
  /** Bracket, section and round */
  readonly label: string | null
  /** Status */
  readonly status: string | null
  /** When it is planned */
  readonly scheduledAt: string | null
  /** Both sides */
  readonly sides: readonly {
    /** Team */
    readonly name: string | null
    /** Picture of the team */
    readonly imageUrl: string | null
    /** Such as “Winner of match 12” */
    readonly placeholder: string | null
    /** Maps won */
    readonly score: number | null
    /** Whether the side has won */
    readonly isWinner: boolean | null
  }[]
}

export interface OverlayOutline {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly name: string
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
  }
  /** What its pages look like; null as long as nothing is published. */
  readonly published: {
    readonly version: number
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly publishedAt: string
  } | null
}

/** All that a page shows, in one answer. */
export interface OverlayState {
  readonly overlay: OverlayOutline
  readonly control: OverlayControl
  readonly data: OverlayData
  /** Scores while a song runs, by key (`player:{user}`), as the live topic of the match tells them; empty while nothing is told. Not in the topic. */
  readonly live?: Readonly<Record<string, unknown>>
  /** Now, by the clock of the service. Not in the topic. */
  readonly serverTime?: string
}

export interface PlayedMap {
  /** In a pool; null for a map that was chosen freely. */
  readonly poolMapGuid: string | null
  readonly hash: string
  readonly characteristic: string
  readonly difficulty: string
  readonly name: string
  readonly modifiers: readonly string[]
  readonly maxScore: number | null
}

export interface PlayerReference {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly username: string
  readonly preferredName: string
  readonly avatarUrl: string
}

export interface Pool {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
  }
  readonly name: string
  /** Markdown. */
  readonly description: string | null
  readonly kind: 'match' | 'qualifier'
  /** Among the pools of the tournament that the viewer sees, from 0. */
  readonly order: number
  readonly status: 'draft' | 'published' | 'archived'
  /** Set of a draft that is scheduled. */
  readonly publishAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly publishedAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly archivedAt: string | null
  /** Grows with each correction; null in drafts. */
  readonly revision: number | null
  readonly playlist: {
    readonly title: string
    readonly author: string
    readonly description: string
  }
  readonly coverUrl: string
  /** What the game’s playlist manager loads, and loads again. */
  readonly playlistUrl: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
  readonly html?: RenderedDescription
  /** In order. */
  readonly maps: readonly PoolMap[]
  /** Since the publication, newest first; the last hundred. */
  readonly changes: readonly PoolChange[]
  /** The list has too many maps: read the pools one by one. */
  readonly limited?: boolean
  /** For poolers, as all that follows. */
  readonly draftRevision?: number
  readonly slots?: readonly {
    /** GUID, in lower case in answers. */
    readonly flairGuid: string
    readonly count: number
  }[]
  readonly previewRoles?: readonly ('role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee')[]
  readonly hasPreviewKey?: boolean
  /** What would keep it from being published now. */
  readonly failures?: readonly {
    readonly code: 'empty' | 'slots_unfilled' | 'flair_missing' | 'map_unresolved' | 'map_missing' | 'map_outdated'
    /** GUID, in lower case in answers. */
    readonly poolMapGuid?: string
    /** GUID, in lower case in answers. */
    readonly flairGuid?: string
  }[]
  /** For heads, of a pool for the qualifier: whether that has the same maps, in this order, weighed alike. */
  readonly inSync?: boolean
}

export interface PoolChange {
  readonly revision: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
  readonly kind: 'added' | 'removed' | 'replaced' | 'edited' | 'reordered'
  /** What was taken out or changed. */
  readonly before: readonly PoolMap[] | null
  /** What was added, or what has become of it. */
  readonly after: readonly PoolMap[] | null
  readonly reason: string | null
  /** For poolers. */
  readonly by: UserCard | null
}

export interface PoolMap {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly map: Map
  readonly flair: Flair | null
  /** Among the maps that the viewer sees, from 0. */
  readonly order: number
  readonly isTiebreaker: boolean
  /** The assistant’s GameOptions. */
  readonly modifiers: readonly ('NoFail' | 'NoBombs' | 'NoArrows' | 'NoObstacles' | 'SlowSong' | 'InstaFail' | 'FailOnClash' | 'BatteryEnergy' | 'FastNotes' | 'FastSong' | 'DisappearingArrows' | 'GhostNotes' | 'DemoNoFail' | 'DemoNoObstacles' | 'StrictAngles' | 'ProMode' | 'ZenMode' | 'SmallCubes' | 'SuperFastSong')[]
  /** The assistant’s PlayerOptions. */
  readonly playerOptions: readonly ('LeftHanded' | 'StaticLights' | 'NoHud' | 'AdvancedHud' | 'ReduceDebris' | 'AutoPlayerHeight' | 'NoFailEffects' | 'AutoRestart' | 'HideNoteSpawnEffect' | 'AdaptiveSfx' | 'ArcsHapticFeedback')[]
  readonly options: {
    readonly disablePause: boolean
    readonly disableFail: boolean
    readonly disableScoreSubmission: boolean
    readonly showScoreboard: boolean
    readonly disableCustomNotesOnStream: boolean
    readonly target: number | null
  }
  readonly attempts: number | null
  readonly weight: number
  readonly note: string | null
  /** When everybody may see it, where that is later than the pool’s publication. */
  readonly releaseAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly releasedAt: string | null
  /** For poolers, as all that follows. */
  readonly staffNote?: string | null
  readonly addedBy?: UserCard | null
  /** GUID, in lower case in answers. */
  readonly suggestionGuid?: string | null
  readonly usedBefore?: readonly UsedBefore[]
  /** What would keep the pool from being published. */
  readonly warnings?: readonly ('map_unresolved' | 'map_missing' | 'map_outdated')[]
}

/** What the pages of an overlay show. */
export interface PublishedScenes {
  /** Number of the version. */
  readonly version: number
  readonly document: SceneDocument
}

export interface PublishedUpdate {
  readonly update: TournamentUpdate
  readonly delivery: UpdateDelivery
}

export interface Qualifier {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
  }
  readonly status: 'draft' | 'open' | 'closed' | 'final'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly opensAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly closesAt: string | null
  /** Of a player on each map; 0 for no limit. */
  readonly attempts: number
  /** Until it is final, scores are for the staff, and players see their own. */
  readonly hideScores: boolean
  readonly method: 'average_accuracy' | 'sum_of_scores' | 'sum_of_ranks' | 'weighted_accuracy' | 'percent_of_best' | 'z_sum' | 'points_per_place' | 'top_players'
  /** Whether scores may be above the highest that a map allows, up to twice as much (`any`), or not (`none`). */
  readonly modifiers: 'any' | 'none'
  readonly settings: {
    /** How many maps count for each, their best ones; null for all. */
    readonly countMaps: number | null
    /** How many members count for a team on each map, its best ones; null for all active ones. */
    readonly topPlayers: number | null
    /** For the places on a map, from the first. */
    readonly points: readonly number[]
    /** What a map without a result counts: nothing, or as much as the worst result there. */
    readonly missing: 'zero' | 'last'
    /** Whether results of failed attempts count. */
    readonly failCounts: boolean
  }
  /** None before it opens, but for the staff. */
  readonly maps: readonly QualifierMap[]
  /** How many teams advance. */
  readonly cutoff: number | null
  /** Whether there is an address from which results are fetched; for the organiser and admins. */
  readonly syncUrl?: 'configured' | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface QualifierAttempt {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly map: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly hash: string
    readonly difficulty: string
    readonly characteristic: string
    readonly name: string | null
  }
  readonly user: PlayerReference
  /** Whom they played for then. */
  readonly team: TeamReference | null
  readonly score: number
  /** 0 to 2; above 1 with modifiers alone. */
  readonly accuracy: number | null
  readonly misses: number | null
  readonly badCuts: number | null
  readonly maxCombo: number | null
  readonly fullCombo: boolean | null
  readonly completion: 'passed' | 'failed' | 'quit' | 'placeholder'
  readonly source: 'assistant' | 'manual' | 'import'
  /** As the source calls it; unique there. */
  readonly externalId: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly playedAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly recordedAt: string
  /** Set once it no longer counts, and no longer uses up an attempt. */
  readonly voidedAt: string | null
  readonly voidReason: string | null
}

export interface QualifierMap {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Of the map’s files, in lower case. */
  readonly hash: string
  readonly difficulty: string
  readonly characteristic: string
  readonly name: string | null
  readonly artist: string | null
  readonly mapper: string | null
  readonly imageUrl: string | null
  /** The highest score that it allows without modifiers. */
  readonly maxScore: number | null
  /** For the methods that weigh maps. */
  readonly weight: number
  readonly order: number
}

export interface QualifierMapStanding {
  /** GUID, in lower case in answers. */
  readonly mapGuid: string
  readonly teams: readonly {
    readonly team: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly name: string
    }
    readonly rank: number
    readonly teamScore: number
    /** 0 to 2; above 1 with modifiers alone. */
    readonly teamAccuracy: number | null
    /** Whose results count for the team, the best first. */
    readonly members: readonly {
      readonly user: {
        /** GUID, in lower case in answers. */
        readonly guid: string
        readonly preferredName: string
      }
      readonly score: number
      /** 0 to 2; above 1 with modifiers alone. */
      readonly accuracy: number | null
      readonly misses: number | null
      readonly badCuts: number | null
      readonly maxCombo: number | null
      readonly fullCombo: boolean | null
      /** Among all players. */
      readonly rank: number
    }[]
  }[]
}

export interface QualifierOutlook {
  /** How many teams advance; without it everybody is `alive`. */
  readonly cutoff: number | null
  /** In the order of the standings; empty for those who do not see all of these. */
  readonly rows: readonly {
    readonly team: TeamReference
    /** null for a team without a result. */
    readonly rank: number | null
    /** By the method. */
    readonly value: number | null
    /** `clinched`: sure of a place, whatever happens; `eliminated`: without one, whatever happens; `tied`: nothing is left to play, and the last place goes to several who share a rank. */
    readonly status: 'clinched' | 'alive' | 'eliminated' | 'tied'
    /** By map, while it is open. Empty for teams that are above the cutoff, and for methods by which a result changes what others have. */
    readonly needs: readonly {
      /** GUID, in lower case in answers. */
      readonly map: string
      /** The least score of the team on this map alone with which its value would be above the one that is the last to advance now; null where no score would do, where no attempt is left, or where nobody knows the highest score of the map. */
      readonly score: number | null
      /** Of all active members together, each of whom has so many on each map; null without a limit. */
      readonly attemptsLeft: number | null
    }[]
    /** On all maps together; null without a limit. */
    readonly attemptsLeft: number | null
  }[]
}

export interface QualifierPlayerStanding {
  /** Of several that share one, all have the better; null where there is none to tell. */
  readonly rank: number | null
  /** By the method. */
  readonly value: number | null
  readonly perMap: readonly {
    /** GUID, in lower case in answers. */
    readonly mapGuid: string
    readonly score: number | null
    /** 0 to 2; above 1 with modifiers alone. */
    readonly accuracy: number | null
    /** Of several that share one, all have the better; null where there is none to tell. */
    readonly rank: number | null
    /** What the map is worth by the method. */
    readonly value: number | null
    /** Among the best maps that count. */
    readonly counts: boolean
  }[]
  /** What is asked where the value is the same, in this order. */
  readonly tieBreaks: readonly {
    readonly name: 'sum_of_scores' | 'average_accuracy' | 'ranking_rank' | 'next_player'
    readonly value: number
  }[]
  /** What set it apart from the one above; null for the first, and where they share a rank. */
  readonly decidedBy: 'value' | 'sum_of_scores' | 'average_accuracy' | 'ranking_rank' | 'next_player' | null
  /** Nothing parts it from another one, so that somebody has to decide. */
  readonly tied: boolean
  readonly user: PlayerReference
  readonly team: TeamReference | null
}

export interface QualifierStandings {
  readonly maps: readonly {
    /** GUID, in lower case in answers. */
    readonly guid: string
    /** Of the map’s files, in lower case. */
    readonly hash: string
    readonly difficulty: string
    readonly characteristic: string
    readonly name: string | null
    readonly artist: string | null
    readonly mapper: string | null
    readonly imageUrl: string | null
    /** The highest score that it allows without modifiers. */
    readonly maxScore: number | null
    /** For the methods that weigh maps. */
    readonly weight: number
    readonly order: number
    /** Of a player; 0 for no limit. */
    readonly attempts: number
  }[]
  /** Each map with how the teams did on it. */
  readonly songAndTeamProcesses: readonly QualifierMapStanding[]
  /** Registered and qualified teams; those without a result stand last, without a rank. */
  readonly overallTeamStandings: readonly QualifierTeamStanding[]
  /** Players with a result. */
  readonly overallStandings: readonly QualifierPlayerStanding[]
  /** How the standings come about, in plain words. */
  readonly description: readonly string[]
  /** Ties that decided who goes on. */
  readonly ties?: readonly DecidedTie[]
  /** SHA-256 of the seed of the draw, in hex digits; told before the draw. */
  readonly commitment?: string
  /** Of the draw, in hex digits: 32 bytes for each of `ties`, in their order. */
  readonly seed?: string
  /** When results were last fetched from elsewhere. */
  readonly syncedAt: string | null
  /** When anything that the standings are made of last changed. */
  readonly updatedAt: string | null
  /** Why results could not be fetched last time; for the staff. */
  readonly lastSyncError: string | null
  /** Rows of the last good board that are nobody’s result here, 500 at most; for the staff. */
  readonly unmatched?: readonly {
    /** As the board names them. */
    readonly player: string
    readonly name: string | null
    /** Who that is, where it is known. */
    readonly userGuid: string | null
    readonly map: string
    /** null where it is none that the ledger could hold. */
    readonly score: number | null
    /** Why this is nobody’s result here. */
    readonly reason: string
  }[]
}

export interface QualifierTeamStanding {
  /** Of several that share one, all have the better; null where there is none to tell. */
  readonly rank: number | null
  /** By the method. */
  readonly value: number | null
  readonly perMap: readonly {
    /** GUID, in lower case in answers. */
    readonly mapGuid: string
    readonly score: number | null
    /** 0 to 2; above 1 with modifiers alone. */
    readonly accuracy: number | null
    /** Of several that share one, all have the better; null where there is none to tell. */
    readonly rank: number | null
    /** What the map is worth by the method. */
    readonly value: number | null
    /** Among the best maps that count. */
    readonly counts: boolean
  }[]
  /** What is asked where the value is the same, in this order. */
  readonly tieBreaks: readonly {
    readonly name: 'sum_of_scores' | 'average_accuracy' | 'ranking_rank' | 'next_player'
    readonly value: number
  }[]
  /** What set it apart from the one above; null for the first, and where they share a rank. */
  readonly decidedBy: 'value' | 'sum_of_scores' | 'average_accuracy' | 'ranking_rank' | 'next_player' | null
  /** Nothing parts it from another one, so that somebody has to decide. */
  readonly tied: boolean
  readonly team: TeamReference
  readonly isQualified: boolean
  readonly seed: number | null
  /** Where the team stands by the cutoff; `tied` where that goes through those who share a rank. */
  readonly cutoffSide: 'above' | 'tied' | 'below' | null
}

export interface RegistrationDeskEntry {
  readonly team: TeamReference
  readonly status: 'unregistered' | 'registered' | 'qualified'
  readonly seed: number | null
  /** Since when it stands so: its registration, its withdrawal, or its making. A qualified team keeps the time of its registration, which is when it got its place. */
  readonly since: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly withdrawnAt: string | null
  /** When roster, name, looks or captain last changed after the registration; null where the team is as it was registered, or has no place. */
  readonly changedAt: string | null
  /** In the order in which they joined. */
  readonly members: readonly {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string
    readonly isActive: boolean
    readonly isCaptain: boolean
  }[]
  /** To all additional fields, private ones among them. */
  readonly answers: readonly {
    /** GUID, in lower case in answers. */
    readonly fieldGuid: string
    /** Whose answer it is, for fields that every player answers; null for the team’s own. */
    readonly userGuid: string | null
    readonly response: string | number | {
      readonly hash: string
      readonly difficulty: string
      readonly characteristic: string
    }
  }[]
  readonly eligibility: RegistrationVerdict
  /** Plain text for the staff alone. */
  readonly note: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly notedAt: string | null
}

export interface RegistrationFailure {
  /** - `registration.wrong_status`: The tournament’s status does not allow registrations.
- `registration.full`: Every place is taken.
- `registration.not_public`: Only the organiser registers teams.
- `registration.not_open_yet`: Registration opens later.
- `registration.closed`: The registration deadline has passed, or the tournament has started.
- `team.none`: The caller is in no team of the tournament.
- `team.already_registered`: The team holds a place already.
- `team.withdrawn`: The team has withdrawn from the tournament.
- `team.too_small`: The team has too few members.
- `team.too_large`: The team has too many members.
- `field.unanswered`: A required field has no answer.
- `field.unknown`: The tournament has no such field.
- `field.answered_twice`: One request answers a field twice for the same subject.
- `field.wrong_subject`: A player’s field was answered for the team, or the other way round.
- `field.not_a_member`: A field was answered for somebody who is not in the team.
- `field.wrong_type`: The answer is not of the field’s type.
- `field.too_long`: A text is too long.
- `field.option_unknown`: The field does not offer this option.
- `field.map_invalid`: A map needs its hash, difficulty and characteristic.
- `account.deleted`: The player has deleted their account.
- `account.none`: The player has not signed in yet, and the requirements need an account.
- `email.not_verified`: The player’s e-mail address is not verified.
- `chat_account.too_young`: The player’s chat account is younger than required.
- `links.not_verified`: The player has linked an account without proving that it is theirs.
- `country.unknown`: Nothing tells the player’s country.
- `country.not_allowed`: The player’s country is not among those that may take part.
- `ranking_a.not_linked`: The player has no verified account on ranking platform A.
- `ranking_a.unranked`: The player has no rank on ranking platform A.
- `ranking_a.out_of_range`: The player’s rank on ranking platform A is outside the range.
- `ranking_b.not_linked`: The player has no verified account on ranking platform B.
- `ranking_b.unranked`: The player has no rank on ranking platform B.
- `ranking_b.out_of_range`: The player’s rank on ranking platform B is outside the range.
- `ranking.unreachable`: A ranking platform could not be asked; try again later. */
  readonly code: 'registration.wrong_status' | 'registration.full' | 'registration.not_public' | 'registration.not_open_yet' | 'registration.closed' | 'team.none' | 'team.already_registered' | 'team.withdrawn' | 'team.too_small' | 'team.too_large' | 'field.unanswered' | 'field.unknown' | 'field.answered_twice' | 'field.wrong_subject' | 'field.not_a_member' | 'field.wrong_type' | 'field.too_long' | 'field.option_unknown' | 'field.map_invalid' | 'account.deleted' | 'account.none' | 'email.not_verified' | 'chat_account.too_young' | 'links.not_verified' | 'country.unknown' | 'country.not_allowed' | 'ranking_a.not_linked' | 'ranking_a.unranked' | 'ranking_a.out_of_range' | 'ranking_b.not_linked' | 'ranking_b.unranked' | 'ranking_b.out_of_range' | 'ranking.unreachable'
  /** Says what to fix. */
  readonly message: string
}

export interface RegistrationState {
  /** Where public registration stands; of several that hold, the first in this order. */
  readonly state: 'wrong_status' | 'full' | 'not_public' | 'not_open_yet' | 'closed' | 'open'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly opensAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly closesAt: string | null
  /** Places; null where there is no limit. */
  readonly capacity: number | null
  /** Places taken. */
  readonly registered: number
}

export interface RegistrationVerdict {
  /** Nothing stands in the way of the team’s place. */
  readonly eligible: boolean
  readonly team: {
    readonly failures: readonly RegistrationFailure[]
  }
  /** Every member of the team, or the caller alone where they have none. */
  readonly players: readonly {
    /** GUID, in lower case in answers. */
    readonly userGuid: string
    readonly failures: readonly RegistrationFailure[]
  }[]
  /** Additional fields that must be answered and are not yet. */
  readonly requiredFields: readonly string[]
}

export interface Rehearsal {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Short id of its tournament. */
  readonly id: string
  readonly name: string
  /** GUID, in lower case in answers. */
  readonly of: string
  /** What it was made of: the tournament as it was when the rehearsal was made, or a package. */
  readonly from: 'now' | 'package'
  /** Whether everything that was played was taken back when it was made. */
  readonly reset: boolean
  /** What all draws come from. */
  readonly seed: string
  /** The teams of the rehearsal that do not appear. */
  readonly noShows: readonly string[]
  readonly clock: RehearsalClock
  readonly faults: RehearsalFaults
  readonly createdBy: UserCard
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** It is deleted then, unless something in it is changed before. */
  readonly expiresAt: string
}

export interface RehearsalClock {
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly base: string
  /** The real instant at which it showed `base`. */
  readonly at: string
  /** How many of its seconds pass in a real one, unless it is paused. */
  readonly rate: number
  readonly paused: boolean
  /** What it shows. */
  readonly now: string
}

export interface RehearsalFault {
  readonly answer: 'ok' | 'fail' | 'limit'
  /** The HTTP status of `fail`. */
  readonly status: number
  readonly delaySeconds: number
  readonly retryAfter: number
  readonly share: number
}

/** How receivers answer, by kind; a kind without a fault takes everything at once. */
export interface RehearsalFaults {
  readonly chat?: RehearsalFault
  readonly webhook?: RehearsalFault
  readonly mail?: RehearsalFault
  readonly notification?: RehearsalFault
  readonly push?: RehearsalFault
  readonly stream?: RehearsalFault
  readonly assistant?: RehearsalFault
  readonly lookup?: RehearsalFault
}

export interface RehearsalMessage {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly kind: 'chat' | 'webhook' | 'mail' | 'notification' | 'push' | 'stream' | 'assistant' | 'lookup'
  /** By the clock of the rehearsal, as all instants here. */
  readonly at: string
  /** Who, or which setting of the real tournament; never an address. */
  readonly to: string
  readonly subject: string
  /** As it would be sent; at most 16,384 characters. */
  readonly body: string
  readonly status: 'sent' | 'failed' | 'waiting'
  readonly attempts: readonly {
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly at: string
    readonly status: number
  }[]
}

/** In the record’s own read, with `include=html`: the description as HTML that is safe to insert into a page: without scripts, styles, classes and ids; links have `rel="nofollow ugc noopener noreferrer"`, and pictures come from this service alone. */
export interface RenderedDescription {
  /** null where the text is null. */
  readonly description: string | null
}

/** The content as HTML that is safe to insert into a page: without scripts, styles, classes and ids; links have `rel="nofollow ugc noopener noreferrer"`, and pictures come from this service alone. */
export interface RenderedNotice {
  readonly content: string
}

/** The texts as HTML that is safe to insert into a page: without scripts, styles, classes and ids; links have `rel="nofollow ugc noopener noreferrer"`, and pictures come from this service alone. */
export interface RenderedTournamentTexts {
  /** null where the text is null. */
  readonly description: string | null
  /** null where the text is null. */
  readonly rules: string | null
  /** null where the text is null. */
  readonly prizes: string | null
}

/** The content as HTML that is safe to insert into a page: without scripts, styles, classes and ids; links have `rel="nofollow ugc noopener noreferrer"`, and pictures come from this service alone. */
export interface RenderedUpdate {
  readonly content: string
}

/** A tournament as the queue of a platform shows it; its own address has the rest. Of a draft that withdrew its request, what it is about is left out. */
export interface RequestingTournament {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Short id. */
  readonly id: string
  readonly name: string
  /** Plain text. */
  readonly summary: string | null
  readonly imageUrl: string | null
  readonly status: 'draft' | 'approved' | 'ongoing' | 'completed' | 'cancelled'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt: string | null
  readonly organiser: UserCard
}

/** A request as the platform’s reviewers see it. */
export interface ReviewedRequest {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly status: 'pending' | 'approved' | 'rejected' | 'blocked' | 'withdrawn'
  /** What the reviewer said. */
  readonly reason: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly requestedAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly decidedAt: string | null
  /** Who decided last. */
  readonly decidedBy: UserCard | null
  readonly tournament: RequestingTournament
}

/** What an overlay looks like, in the form of `/overlays/scene-schema.json`. At most a mebibyte, 20 scenes, and 2,000 elements. */
export type SceneDocument = Readonly<Record<string, unknown>>

/** The users who hold a role in a tournament. */
export interface StaffGroup {
  readonly role: 'organiser' | 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee'
  readonly users: readonly StaffMember[]
}

export interface StaffMember {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** User ID on the chat platform; empty for a placeholder whose chat account is not known. */
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
  readonly avatarUrl: string
  readonly pronouns: string | null
  /** How the preferred name is spoken. */
  readonly pronunciation: string | null
  /** ISO 3166-1 alpha-2 code, or `XK`. */
  readonly country: string | null
  /** Plain-text excerpt of the profile description, at most 140 characters. */
  readonly bio: string | null
  readonly roles: readonly ('owner' | 'developer' | 'organiser')[]
  readonly isBot: boolean
  /** The record stands for a person from an organiser’s sheet who has not signed in yet. */
  readonly isPlaceholder: boolean
  readonly emailVerified: boolean
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly joinedAt: string
  /** Publicly listed tournaments played. */
  readonly tournamentsPlayed: number
  readonly rankingIdA: string | null
  readonly rankingIdB: string | null
  readonly streamingName: string | null
  /** For the organiser, admins and head poolers: works on the pools, and plays in a registered team. */
  readonly plays?: boolean
}

export interface Standing {
  /** Shared by equal teams: 1, 2, 2, 4. */
  readonly rank: number
  readonly team: TeamReference
  readonly seed: number | null
  /** Group of a round robin, from 0; each has a table of its own. */
  readonly groupIndex: number | null
  readonly played: number
  readonly won: number
  readonly drawn: number
  readonly lost: number
  readonly gamesWon: number
  readonly gamesLost: number
  readonly points: number
  /** In the order in which they are asked. */
  readonly tieBreaks: readonly {
    readonly name: 'points' | 'head_to_head' | 'game_difference' | 'games_won' | 'buchholz' | 'median_buchholz' | 'sonneborn_berger' | 'score_total' | 'seed'
    readonly value: number
  }[]
  /** What set the team apart from the one above it; null where nothing had to, or nothing could. */
  readonly decidedBy: 'points' | 'head_to_head' | 'game_difference' | 'games_won' | 'buchholz' | 'median_buchholz' | 'sonneborn_berger' | 'score_total' | 'seed' | null
  /** No tie-breaker parts the team from another one, so that somebody has to decide. */
  readonly tied: boolean
}

/** Whose stream a tournament shows, and when. */
export interface StreamAssignment {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
  }
  /** null for the whole tournament. */
  readonly match: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly number: number
  } | null
  readonly user: UserCard
  readonly role: 'player' | 'caster' | 'observer'
  /** Number of the side of the match. */
  readonly side: 1 | 2 | null
  /** Place on the side, from 1 to 6. */
  readonly slot: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt: string
  readonly status: 'planned' | 'active' | 'ended' | 'cancelled'
  /** For the tournament’s staff; null for everybody else. */
  readonly note: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** Of the last change that everybody sees. */
  readonly updatedAt: string
}

/** Where the stream is watched; null for what its server does not offer. */
export interface StreamPlay {
  /** WebRTC, with the least delay. */
  readonly whep: string | null
  /** Low-latency HLS. */
  readonly llhls: string | null
  /** HLS. */
  readonly hls: string | null
}

export interface Suggestion {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly map: Map
  readonly note: string | null
  readonly suggestedBy: UserCard
  readonly status: 'open' | 'accepted' | 'rejected' | 'withdrawn'
  /** Why it was decided as it was. */
  readonly reason: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly decidedAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
  /** For poolers, as all that follows. */
  readonly targetPool: string | null
  /** GUID, in lower case in answers. */
  readonly targetFlair: string | null
  readonly decidedBy: UserCard | null
  /** The map of a pool that it became. */
  readonly poolMapGuid: string | null
  /** null until the viewer may see it. */
  readonly tally: Tally | null
  readonly myVote: -1 | 0 | 1 | null
  /** How many there are. */
  readonly comments?: number
  readonly usedBefore?: readonly UsedBefore[]
  /** The oldest open suggestion of the same map. */
  readonly duplicateOf?: string | null
  /** For heads: they hold a pooling role and play in a registered team. */
  readonly plays?: boolean
}

export interface Tally {
  readonly up: number
  readonly neutral: number
  readonly down: number
}

export interface Team {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Short id, unique in the tournament. */
  readonly id: string
  readonly name: string
  /** How the name is spoken. */
  readonly pronunciation: string | null
  readonly imageUrl: string | null
  /** `#rrggbb`, in lower case. */
  readonly color: string | null
  readonly captain: UserCard
  /** The tournament is played by teams of one. */
  readonly isSolo: boolean
  readonly status: 'unregistered' | 'registered' | 'qualified'
  readonly seed: number | null
  /** The captain among them, in the order in which they joined. */
  readonly members: readonly {
    readonly user: UserCard
    /** On the field rather than a substitute. */
    readonly isActive: boolean
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly joinedAt: string
  }[]
  /** People who are invited and have not answered. */
  readonly invited: number
  /** Only the organiser may change team and members now. */
  readonly rosterLocked: boolean
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly registeredAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly withdrawnAt: string | null
  /** Answers to the tournament’s additional fields, as far as the caller may see them. */
  readonly additionalFields: readonly {
    /** GUID, in lower case in answers. */
    readonly fieldGuid: string
    /** Whose answer it is, for fields that every player answers; null for the team’s own. */
    readonly userGuid: string | null
    readonly response: string | number | {
      readonly hash: string
      readonly difficulty: string
      readonly characteristic: string
    }
  }[]
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

/** A team’s answer to a slot. */
export interface TeamAvailabilityResponse {
  /** GUID, in lower case in answers. */
  readonly teamGuid: string
  readonly status: 'available' | 'maybe' | 'unavailable' | 'would_rather_not'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt: string
}

export interface TeamAvailabilityResponseInput {
  readonly status: 'available' | 'maybe' | 'unavailable' | 'would_rather_not'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt: string
}

export interface TeamAvailabilitySubmission {
  /** GUID, in lower case in answers. */
  readonly teamGuid: string
  /** GUID, in lower case in answers. */
  readonly updatedByGuid: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly submittedAt: string
}

export interface TeamInvitation {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
  }
  readonly team: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
    readonly imageUrl: string | null
  }
  readonly user: UserCard
  readonly invitedBy: UserCard
  readonly message: string | null
  readonly status: 'pending' | 'accepted' | 'declined' | 'revoked'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly decidedAt: string | null
}

export interface TeamReference {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly id: string
  readonly name: string
  readonly imageUrl: string | null
  readonly color: string | null
}

/** Something that happens in the course of a tournament. */
export interface TimelineEvent {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly title: string
  /** Plain text. */
  readonly description: string | null
  /** Name of an icon. */
  readonly icon: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startTime: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endTime: string | null
}

/** What the caller may do in a tournament. */
export interface TournamentAccess {
  /** What the caller is in this tournament; implied global roles included. */
  readonly roles: readonly ('organiser' | 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee' | 'role:owner' | 'role:dev' | 'global:tournaments:manage')[]
  /** Names of the operations of this tournament that the caller may use, for at least some of its records. */
  readonly operations: readonly string[]
}

export interface TournamentFinding {
  /** - `dates.missing`: The tournament is public and has no start, or registration has no end.
- `dates.out_of_order`: Dates of the tournament are not in order.
- `spoilers.no_delay`: Results are to be held back, and the delay is 0: everybody sees them at once.
- `status.behind`: The start has passed and the tournament is not ongoing, or the end has passed and it is not completed.
- `field.unanswered`: A team with a place has not answered a required field.
- `team.ineligible`: A team with a place no longer meets what registration asks.
- `division.no_bracket`: Registration is closed, and a division has no bracket, or the tournament has no division.
- `qualifier.closes_late`: The qualifier closes after the first match.
- `qualifier.sync_failed`: The last synchronisation of the qualifier failed; the scores before it are kept.
- `match.outside_dates`: A match is scheduled before the start or after the end of the tournament.
- `match.before_feeder`: A match is scheduled before one that decides who plays in it.
- `match.late`: A match was to begin more than 15 minutes ago.
- `sheet.overdue`: A sheet is open, and all times that it asks for have passed.
- `delivery.failed`: An update did not reach the chat channel, or was not removed from there.
- `announcement.failed`: The last announcement did not reach its chat channel. */
  readonly code: 'dates.missing' | 'dates.out_of_order' | 'spoilers.no_delay' | 'status.behind' | 'field.unanswered' | 'team.ineligible' | 'division.no_bracket' | 'qualifier.closes_late' | 'qualifier.sync_failed' | 'match.outside_dates' | 'match.before_feeder' | 'match.late' | 'sheet.overdue' | 'delivery.failed' | 'announcement.failed'
  /** `error`: it goes wrong unless somebody acts. `warning`: it may be meant. */
  readonly severity: 'error' | 'warning'
  readonly subject: {
    readonly kind: 'tournament' | 'team' | 'division' | 'match' | 'qualifier' | 'availability_sheet' | 'update'
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string
  }
  /** Says what is wrong. */
  readonly message: string
  /** The operation that helps, by its stable name; `GET /tournaments/{tournament}/access` tells whether the caller may use it. */
  readonly action: 'tournaments.update' | 'tournaments.changeStatus' | 'registration.desk' | 'brackets.create' | 'qualifiers.put' | 'qualifiers.synchronise' | 'matches.update' | 'matches.start' | 'availability.replaceSheet' | 'updates.retryChat'
}

export interface TournamentStream {
  readonly user: UserCard
  readonly role: 'player' | 'caster' | 'observer'
  readonly side: number | null
  readonly slot: number
  /** null for the whole tournament. */
  readonly match: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly number: number
  } | null
  /** null where the user has a channel elsewhere, of which it is not known. */
  readonly live: boolean | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly since: string | null
  readonly play: StreamPlay
  /** The channel on the streaming site, while there is no stream of our own. */
  readonly fallback: {
    readonly embedUrl: string
    readonly channel: string
  } | null
  /** For staff: the test that the user sends at the moment. To watch it, add `?view=` and the token of your stream settings. */
  readonly test?: {
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly since: string
    readonly play: StreamPlay
  } | null
}

export interface TournamentUpdate {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Plain text; may be empty. */
  readonly title: string
  /** Markdown. */
  readonly content: string
  readonly changes: readonly Readonly<Record<string, unknown>>[]
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** null until the first edit; `expectedUpdatedAt` of the next one. */
  readonly updatedAt: string | null
}

export interface TournamentWithParts {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Short id. */
  readonly id: string
  readonly name: string
  /** Plain text. */
  readonly summary: string | null
  /** Markdown. */
  readonly description: string | null
  /** Markdown. */
  readonly rules: string | null
  /** Markdown. */
  readonly prizes: string | null
  readonly imageUrl: string | null
  readonly bannerUrl: string | null
  readonly status: 'draft' | 'approved' | 'ongoing' | 'completed' | 'cancelled'
  /** IANA name. */
  readonly timezone: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly registrationOpensAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly registrationClosesAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly rosterLocksAt: string | null
  readonly teamSize: {
    readonly min: number
    readonly max: number
    readonly active: number
  }
  /** Registered teams at most; null for no limit. */
  readonly capacity: number | null
  readonly publicRegistration: boolean
  readonly requirements: {
    readonly countries?: readonly string[]
    /** 1 is the best rank. */
    readonly rankA?: {
      readonly min?: number
      readonly max?: number
    }
    /** 1 is the best rank. */
    readonly rankB?: {
      readonly min?: number
      readonly max?: number
    }
    readonly rankingA?: boolean
    readonly rankingB?: boolean
    readonly emailVerified?: boolean
    readonly chatAccountAgeDays?: number
    readonly verifiedLinks?: boolean
  }
  readonly additionalFields: readonly AdditionalField[]
  readonly links: {
    readonly chatInvite: string | null
    readonly website: string | null
    readonly stream: string | null
    readonly rulesUrl: string | null
  }
  /** `configured` or null, for those who may change settings. */
  readonly chatWebhookUrl?: string | null
  /** Further chat channels, for those who may change settings. */
  readonly chatWebhooks?: readonly {
    readonly label: string
    /** Always `configured`. */
    readonly url: string
  }[]
  /** What the chat is told by itself, and in which channel; kinds that are off are absent. For those who may change settings. */
  readonly announcements?: {
    readonly match_called?: string
    readonly match_started?: string
    readonly match_finished?: string
    readonly round_ready?: string
    readonly schedule_changed?: string
    readonly registration_opened?: string
    readonly registration_closing?: string
    readonly team_registered?: string
    readonly bracket_published?: string
    readonly pool_published?: string
    readonly stream_live?: string
    readonly placements?: string
  }
  /** IDs of the chat’s roles that are mentioned. For those who may change settings. */
  readonly announcementRoles?: {
    readonly match_called?: readonly string[]
    readonly match_started?: readonly string[]
    readonly match_finished?: readonly string[]
    readonly round_ready?: readonly string[]
    readonly schedule_changed?: readonly string[]
    readonly registration_opened?: readonly string[]
    readonly registration_closing?: readonly string[]
    readonly team_registered?: readonly string[]
    readonly bracket_published?: readonly string[]
    readonly pool_published?: readonly string[]
    readonly stream_live?: readonly string[]
    readonly placements?: readonly string[]
  }
  /** BCP 47, of the texts that the service writes. */
  readonly language: string
  /** By so much, or by the longest delay of its channels, results are late for whoever asks for them with `delayed`. */
  readonly streamDelaySeconds: number
  /** Who may follow scores while a map is played. */
  readonly liveScores: 'public' | 'staff'
  /** `held`: everybody but the staff sees the competition late. */
  readonly spoilerMode: 'open' | 'held'
  readonly organiser: UserCard
  readonly visibilityScope: 'all' | 'selected'
  readonly counts: {
    readonly teams: number
    /** Qualified teams included. */
    readonly registered: number
    readonly qualified: number
    readonly players: number
  }
  readonly placements: readonly {
    readonly place: number
    readonly team: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly id: string
      readonly name: string
      readonly imageUrl: string | null
    }
  }[]
  /** What its organisers told of its cancellation. */
  readonly cancelReason: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
  /** The tournament is a rehearsal of another one; only staff of that one see it. With the rest of what was asked for, and when it ends, at `/tournaments/{of}/rehearsals/{guid}`. */
  readonly rehearsal?: {
    /** GUID, in lower case in answers. */
    readonly of: string
    readonly name: string
    /** What all draws come from. */
    readonly seed: string
  }
  /** The tournament was imported from a package that nobody signed whose key is known here. Until it is approved, its staff and reviewers are told so. */
  readonly importSigner?: 'unknown' | 'unsigned'
  readonly staff?: readonly StaffGroup[]
  /** The first 100 teams, in the order of their making. */
  readonly teams?: readonly Team[]
  readonly timeline?: readonly TimelineEvent[]
  readonly divisions?: readonly DivisionWithBrackets[]
  /** The first 100 matches, in the order of the list. */
  readonly matches?: readonly Match[]
  readonly html?: RenderedTournamentTexts
}

/** Where the announcement of an update in the chat stands. */
export interface UpdateDelivery {
  /** `none` where the update was not sent to the chat. While `pending` or `sending` it cannot be edited. */
  readonly status: 'none' | 'pending' | 'sending' | 'delivered' | 'failed' | 'removing' | 'removal_failed'
  /** The messages of the announcement, in their order. */
  readonly parts: readonly {
    readonly index: number
    /** `sending` is also what waits to be sent again because the answer to it was lost. */
    readonly status: 'pending' | 'sending' | 'delivered' | 'failed' | 'removing' | 'removal_failed'
    /** Of the message in the chat. */
    readonly messageId: string | null
    /** Present and true where the chat platform’s answer to an attempt was lost: what that attempt sent may stand in the chat beside the message that is known. */
    readonly unconfirmed?: boolean
  }[]
  /** How often the delivery was taken up. */
  readonly attempts: number
  /** What was wrong last, for people; null once the delivery goes on. */
  readonly lastError: string | null
  /** null where nothing is delivered. */
  readonly updatedAt: string | null
}

export interface UsedBefore {
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
  }
  readonly pool: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string
  }
  /** null for a draft of the same tournament. */
  readonly publishedAt: string | null
  /** `exact`: this very map; `song`: another difficulty or version of the song. */
  readonly identity: 'exact' | 'song'
}

/** Public compact summary of a user. */
export interface UserCard {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** User ID on the chat platform; empty for a placeholder whose chat account is not known. */
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
  readonly avatarUrl: string
  readonly pronouns: string | null
  /** How the preferred name is spoken. */
  readonly pronunciation: string | null
  /** ISO 3166-1 alpha-2 code, or `XK`. */
  readonly country: string | null
  /** Plain-text excerpt of the profile description, at most 140 characters. */
  readonly bio: string | null
  readonly roles: readonly ('owner' | 'developer' | 'organiser')[]
  readonly isBot: boolean
  /** The record stands for a person from an organiser’s sheet who has not signed in yet. */
  readonly isPlaceholder: boolean
  readonly emailVerified: boolean
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly joinedAt: string
  /** Publicly listed tournaments played. */
  readonly tournamentsPlayed: number
  readonly rankingIdA: string | null
  readonly rankingIdB: string | null
  readonly streamingName: string | null
}

export interface Vote {
  readonly user: UserCard
  readonly value: -1 | 0 | 1
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly votedAt: string
  /** How often it was changed. */
  readonly changes: number
  /** For heads: they hold a pooling role and play in a registered team. */
  readonly plays?: boolean
}

export interface Votes {
  readonly myVote: -1 | 0 | 1 | null
  /** null until the viewer may see it. */
  readonly tally: Tally | null
  /** Latest first; absent until the viewer may see them. */
  readonly votes?: readonly Vote[]
}

/** One attempt at a delivery. */
export interface WebhookAttempt {
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
  /** HTTP status of the answer; null when none came. */
  readonly status: number | null
  /** null while it is under way, or when its end is not known. */
  readonly durationMs: number | null
  /** Why it did not succeed; null when it did, and while it is under way. */
  readonly error: string | null
}

/** What was, or is to be, told to a platform’s receiver. */
export interface WebhookDelivery {
  /** GUID; also the `webhook-id` of the message, however often it is sent. */
  readonly guid: string
  readonly channel: 'chat' | 'custom'
  readonly event: 'visibility_requested' | 'visibility_approved' | 'visibility_rejected' | 'visibility_blocked' | 'visibility_withdrawn' | 'member_added' | 'member_removed'
  /** `failed` was given up; `stopped` had nowhere to go, because the address had said that it is gone, or was removed. */
  readonly status: 'pending' | 'sending' | 'delivered' | 'failed' | 'stopped'
  /** The oldest first. */
  readonly attempts: readonly WebhookAttempt[]
  /** When what it tells of happened. */
  readonly createdAt: string
  /** Not before then, and not before those in front of it; null when there is none. */
  readonly nextAttemptAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly finishedAt: string | null
}

export interface WithdrawalCorrection {
  /** Nothing was written: this is what would happen. */
  readonly dryRun: boolean
  /** Of the brackets concerned, by their GUIDs. Give those of the preview as `revisions` to apply exactly that. */
  readonly revisions: Readonly<Record<string, unknown>>
  /** The same, where one bracket is concerned; null otherwise. */
  readonly revision: number | null
  /** To undo that the withdrawal was taken back; null where it was not. */
  readonly correctionGuid: string | null
  readonly team: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly before: {
      readonly status: 'unregistered' | 'registered' | 'qualified'
      readonly seed: number | null
    }
    readonly after: {
      readonly status: 'unregistered' | 'registered' | 'qualified'
      readonly seed: number | null
    }
  }
  /** Matches for which it means something, bracket by bracket, in the order of their numbers. */
  readonly affected: readonly {
    /** GUID, in lower case in answers. */
    readonly bracketGuid: string
    /** GUID, in lower case in answers. */
    readonly matchGuid: string
    readonly number: number
    /** `walkover`: it ends without being played. `stays`: it keeps the walkover that the withdrawal gave, or was played on the strength of one. `result_voided`, `restored`: also of a result that counts no more, or again. The others are those of corrections. */
    readonly change: 'result_voided' | 'reopened' | 'cancelled' | 'restored' | 'team_replaced' | 'walkover' | 'stays'
    readonly before: AffectedMatchState
    readonly after: AffectedMatchState
  }[]
}
