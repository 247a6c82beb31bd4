// biome-ignore-all format: generated
/** What a GET answers, by its path. Made of the records of the operations by `npm run generate`; do not edit. */
import type {
  Agenda,
  AssistantLink,
  AssistantSession,
  AssistantSessions,
  AuditEntry,
  AvailabilitySheet,
  AvailabilityState,
  AwardCategory,
  Awards,
  BracketOutlook,
  BracketWithMatches,
  ChannelList,
  ChannelQueue,
  Comment,
  Coordination,
  CorrectionEntry,
  DivisionWithBrackets,
  Flair,
  FlowRules,
  FlowSession,
  FlowState,
  FlowStep,
  FlowWarning,
  GameProposal,
  Import,
  ListedTournament,
  ListedTournamentUpdate,
  Map,
  Match,
  MatchCard,
  NominatedTeam,
  NominatedTournament,
  NominatedUser,
  Notice,
  Notification,
  Overlay,
  OverlayControl,
  OverlayData,
  OverlayState,
  Pool,
  PublishedScenes,
  Qualifier,
  QualifierAttempt,
  QualifierOutlook,
  QualifierStandings,
  RegistrationDeskEntry,
  RegistrationFailure,
  RegistrationState,
  ReviewedRequest,
  SceneDocument,
  StaffGroup,
  Standing,
  StreamAssignment,
  StreamPlay,
  Suggestion,
  Team,
  TeamInvitation,
  TimelineEvent,
  TournamentAccess,
  TournamentFinding,
  TournamentStream,
  TournamentWithParts,
  UsedBefore,
  UserCard,
  Votes,
  WebhookDelivery,
} from '../../../client/generated.ts'

export interface Reads {
  /** The authorization server’s metadata. (RFC 8414) */
  readonly '/.well-known/oauth-authorization-server': {
    readonly query: Record<never, never>
    readonly body: {
      readonly issuer: string
      readonly authorization_endpoint: string
      readonly token_endpoint: string
      readonly jwks_uri: string
      readonly revocation_endpoint: string
      readonly introspection_endpoint: string
      readonly device_authorization_endpoint: string
      readonly service_documentation: string
      readonly scopes_supported: readonly string[]
      readonly response_types_supported: readonly string[]
      readonly response_modes_supported: readonly string[]
      readonly grant_types_supported: readonly string[]
      readonly code_challenge_methods_supported: readonly string[]
      readonly token_endpoint_auth_methods_supported: readonly string[]
      readonly revocation_endpoint_auth_methods_supported: readonly string[]
      readonly introspection_endpoint_auth_methods_supported: readonly string[]
      readonly authorization_response_iss_parameter_supported: boolean
    }
  }
  /** The caller’s own OAuth applications, oldest first, without their secrets. */
  readonly '/oauth/applications': {
    readonly query: Record<never, never>
    readonly body: readonly Application[]
  }
  /** One of the caller’s own OAuth applications, without its secret. */
  readonly '/oauth/applications/{application}': {
    readonly query: Record<never, never>
    readonly body: Application
  }
  /** Public summary of a user, small and cacheable. */
  readonly '/users/{user}/card': {
    readonly query: Record<never, never>
    readonly body: UserCard
  }
  /** Users, newest first, or those whose name starts with `q` or whose linked ID it is. */
  readonly '/users': {
    readonly query: {
      /** Start of a name, or a whole ID. */
      readonly q?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly users: readonly UserCard[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The user who has linked an account of one of the ranking platforms. */
  readonly '/getUserByPlatform/{platformId}': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly username: string
    }
  }
  /** The accounts of the signed-in user on other platforms, the chat account first. */
  readonly '/users/@me/identities': {
    readonly query: Record<never, never>
    readonly body: readonly Identity[]
  }
  /** A user: the public profile or, as `@me`, everything that is the caller’s own. */
  readonly '/users/{user}': {
    readonly query: Record<never, never>
    readonly body: UserDetail
  }
  /** Users with all their roles, newest first, or those whose name starts with `q` or whose linked ID it is. */
  readonly '/admin/users': {
    readonly query: {
      /** Start of a name, or a whole ID. */
      readonly q?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly users: readonly AccountSummary[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** A user with everything that administrators may know. */
  readonly '/admin/users/{user}': {
    readonly query: Record<never, never>
    readonly body: Account
  }
  /** The public key that verifies newly issued access tokens. */
  readonly '/requestPublicSignature': {
    readonly query: Record<never, never>
    readonly body: {
      readonly algorithm: 'RS256'
      /** PEM (SPKI). */
      readonly publicKey: string
    }
  }
  /** The public keys of all access tokens that may still be valid, as a JWK set. */
  readonly '/.well-known/jwks.json': {
    readonly query: Record<never, never>
    readonly body: {
      readonly keys: readonly {
        readonly kty: 'RSA'
        readonly n: string
        readonly e: string
        readonly kid: string
        readonly alg: 'RS256'
        readonly use: 'sig'
      }[]
    }
  }
  /** Where the signed-in user is signed in, newest first, and which applications act for them. */
  readonly '/users/@me/sessions': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly sessions: readonly SignIn[]
      /** Applications that hold a token of the user, or that the user has agreed to let act; on every page. */
      readonly applications: readonly GrantedApplication[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** All roles and permissions that there are, by where they hold. */
  readonly '/userRoles': {
    readonly query: Record<never, never>
    readonly body: RoleCatalogue
  }
  /** The organiser and all who hold a role in the tournament. */
  readonly '/tournaments/{tournament}/staff': {
    readonly query: Record<never, never>
    readonly body: readonly StaffGroup[]
  }
  /** What the caller is, and may do, in the tournament. */
  readonly '/tournaments/{tournament}/access': {
    readonly query: Record<never, never>
    readonly body: TournamentAccess
  }
  /** The signed-in user’s notifications, newest first. */
  readonly '/users/@me/notifications': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly notifications: readonly Notification[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** All platforms that a tournament can ask, the system platform first. */
  readonly '/tournament-platforms': {
    readonly query: Record<never, never>
    readonly body: readonly Platform[]
  }
  /** Platforms that the caller reviews or administers. */
  readonly '/tournament-platforms/mine': {
    readonly query: Record<never, never>
    readonly body: readonly OwnPlatform[]
  }
  /** The public record of a platform. */
  readonly '/tournament-platforms/{platform}': {
    readonly query: Record<never, never>
    readonly body: Platform
  }
  /** Webhooks, subscribed events and the review team. */
  readonly '/tournament-platforms/{platform}/settings': {
    readonly query: Record<never, never>
    readonly body: PlatformSettings
  }
  /** Listed tournaments, newest start first. */
  readonly '/tournaments': {
    readonly query: {
      /** Context id of the platform whose list is asked for; the system platform unless given. */
      readonly platform?: string
      /** Comma list of approved, ongoing, completed. */
      readonly status?: string
      /** Words of name and id; the last one may be a beginning. */
      readonly q?: string
      /** Tournaments that end no earlier. */
      readonly from?: string
      /** Tournaments that start no later. */
      readonly to?: string
      /** Any identifier of a user. */
      readonly organiser?: string
      /** Any identifier of a user who is in a team, or was in a registered one. */
      readonly participant?: string
      /** Tournaments in which anybody may register a team now. */
      readonly registration?: 'open'
      /** Comma list of what is answered whole: texts, fields. */
      readonly include?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly tournaments: readonly ListedTournament[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The tournaments that the platform lists, newest start first. */
  readonly '/tournament-platforms/{platform}/tournaments': {
    readonly query: {
      /** Comma list of approved, ongoing, completed. */
      readonly status?: string
      /** Words of name and id; the last one may be a beginning. */
      readonly q?: string
      /** Tournaments that end no earlier. */
      readonly from?: string
      /** Tournaments that start no later. */
      readonly to?: string
      /** Any identifier of a user. */
      readonly organiser?: string
      /** Any identifier of a user who is in a team, or was in a registered one. */
      readonly participant?: string
      /** Tournaments in which anybody may register a team now. */
      readonly registration?: 'open'
      /** Comma list of what is answered whole: texts, fields. */
      readonly include?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly tournaments: readonly ListedTournament[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** Who changed what in the tournament, newest first. */
  readonly '/tournaments/{tournament}/audit': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly entries: readonly AuditEntry[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The record of a tournament, with parts of it where `include` asks for them. */
  readonly '/tournaments/{tournament}': {
    readonly query: {
      /** Comma list of what to answer beside the record: staff, teams, timeline, divisions, matches, html. */
      readonly include?: string
    }
    readonly body: TournamentWithParts
  }
  /** The timeline of the tournament, ordered by start. */
  readonly '/tournaments/{tournament}/timelineEvents': {
    readonly query: Record<never, never>
    readonly body: readonly TimelineEvent[]
  }
  /** The notices that are shown to the caller now: the most urgent first, then in the order in which they start. */
  readonly '/notices': {
    readonly query: Record<never, never>
    readonly body: readonly Notice[]
  }
  /** All notices, past and future ones among them, newest first. */
  readonly '/admin/notices': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly notices: readonly ManagedNotice[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** Where the tournament wants to be seen, and what became of its requests. */
  readonly '/tournaments/{tournament}/visibility': {
    readonly query: Record<never, never>
    readonly body: VisibilityOverview
  }
  /** Requests to a platform with their tournaments, newest first. */
  readonly '/tournament-platforms/{platform}/requests': {
    readonly query: {
      /** Comma list of pending, approved, rejected, blocked, withdrawn. */
      readonly status?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly requests: readonly ReviewedRequest[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** Who decided what on a request, newest first. */
  readonly '/tournament-platforms/{platform}/requests/{visibilityRequest}/history': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly decisions: readonly VisibilityDecision[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** Requests of every platform by status, and the latest requests and decisions. */
  readonly '/admin/tournament-platforms/overview': {
    readonly query: Record<never, never>
    readonly body: PlatformsOverview
  }
  /** What was, or is to be, told to the platform’s receivers, with every attempt; newest first. */
  readonly '/tournament-platforms/{platform}/deliveries': {
    readonly query: {
      /** Comma list of pending, sending, delivered, failed, stopped; all unless given. */
      readonly status?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly deliveries: readonly WebhookDelivery[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The updates of the tournament, newest first. */
  readonly '/tournaments/{tournament}/updates': {
    readonly query: {
      /** Comma list of what to answer beside each update: html. With `html` pages of long updates end early. */
      readonly include?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly updates: readonly ListedTournamentUpdate[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
      /** For those who may post alone. */
      readonly canPost?: boolean
      /** For those who may post alone. */
      readonly chatAvailable?: boolean
    }
  }
  /** The links by which a person can take over a placeholder, newest first. */
  readonly '/users/{placeholder}/claimLinks': {
    readonly query: Record<never, never>
    readonly body: {
      readonly links: readonly ClaimLink[]
    }
  }
  /** Whom the signed-in user would become by a link, and what would be theirs. */
  readonly '/claims/{claimToken}': {
    readonly query: Record<never, never>
    readonly body: ClaimPreview
  }
  /** Teams of a tournament, in the order in which they were made. */
  readonly '/tournaments/{tournament}/teams': {
    readonly query: {
      /** Comma list of statuses. */
      readonly status?: string
      /** Start of the name, or a whole id. */
      readonly q?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly teams: readonly Team[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** A team, by GUID or short id. */
  readonly '/tournaments/{tournament}/teams/{team}': {
    readonly query: Record<never, never>
    readonly body: Team
  }
  /** Pending invitations of a team, newest first. */
  readonly '/tournaments/{tournament}/teams/{team}/invitations': {
    readonly query: Record<never, never>
    readonly body: readonly TeamInvitation[]
  }
  /** The signed-in user’s pending team invitations, newest first. */
  readonly '/users/@me/invitations': {
    readonly query: Record<never, never>
    readonly body: readonly TeamInvitation[]
  }
  /** A user with the teams that they play in, in tournaments of the main listing. */
  readonly '/userWithOngoingTournaments/{user}': {
    readonly query: Record<never, never>
    readonly body: UserWithTournaments
  }
  /** The caller’s own media, newest first, and how much room there is left. */
  readonly '/media': {
    readonly query: {
      /** What it is for. */
      readonly kind?: 'avatar' | 'app_image' | 'team_image' | 'platform_image' | 'tournament_image' | 'tournament_banner' | 'update_image' | 'badge_image' | 'award_image' | 'overlay_image' | 'overlay_video' | 'overlay_font'
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
      /** Those alone that belong to this tournament. */
      readonly tournament?: string
      /** Those alone that nothing uses, or that something does. */
      readonly unused?: boolean
    }
    readonly body: {
      readonly media: readonly Media[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
      readonly quota: MediaQuota
    }
  }
  /** The media of a tournament and its teams, newest first, and how much room there is left. */
  readonly '/tournaments/{tournament}/media': {
    readonly query: {
      /** What it is for. */
      readonly kind?: 'avatar' | 'app_image' | 'team_image' | 'platform_image' | 'tournament_image' | 'tournament_banner' | 'update_image' | 'badge_image' | 'award_image' | 'overlay_image' | 'overlay_video' | 'overlay_font'
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
      /** Those alone that nothing uses, or that something does. */
      readonly unused?: boolean
    }
    readonly body: {
      readonly media: readonly Media[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
      readonly quota: MediaQuota
    }
  }
  /** A medium, with where it is delivered. */
  readonly '/media/{media}': {
    readonly query: Record<never, never>
    readonly body: Media
  }
  /** All media, newest first. */
  readonly '/admin/media': {
    readonly query: {
      /** What it is for. */
      readonly kind?: 'avatar' | 'app_image' | 'team_image' | 'platform_image' | 'tournament_image' | 'tournament_banner' | 'update_image' | 'badge_image' | 'award_image' | 'overlay_image' | 'overlay_video' | 'overlay_font'
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
      /** Identifier of a user: theirs alone. */
      readonly owner?: string
    }
    readonly body: {
      readonly media: readonly Media[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** What uses a medium, and whether the caller may end that. */
  readonly '/media/{media}/usages': {
    readonly query: Record<never, never>
    readonly body: readonly MediaUsage[]
  }
  /** The map pools of a tournament that the caller may read, in order. */
  readonly '/tournaments/{tournament}/pools': {
    readonly query: Record<never, never>
    readonly body: readonly Pool[]
  }
  /** A map pool with its maps, and what was corrected since its publication. */
  readonly '/tournaments/{tournament}/pools/{pool}': {
    readonly query: Record<never, never>
    readonly body: Pool
  }
  /** A map pool of any tournament, as everybody sees it. */
  readonly '/resources/pooling/pools/{poolGuid}': {
    readonly query: Record<never, never>
    readonly body: Pool
  }
  /** The flairs of a tournament, which tell the maps of its pools apart. */
  readonly '/tournaments/{tournament}/flairs': {
    readonly query: Record<never, never>
    readonly body: readonly Flair[]
  }
  /** How maps are suggested and voted on. */
  readonly '/tournaments/{tournament}/pooling': {
    readonly query: Record<never, never>
    readonly body: PoolingSettings
  }
  /** Matches of a tournament: bracket after bracket as they were generated, and in each by number. */
  readonly '/tournaments/{tournament}/matches': {
    readonly query: {
      /** GUID or short id of a division. */
      readonly division?: string
      /** GUID of a bracket of the tournament. */
      readonly bracket?: string
      /** Comma list of statuses. */
      readonly status?: string
      /** GUID or short id of a team that plays. */
      readonly team?: string
      /** Any identifier of somebody who works at it. */
      readonly official?: string
      /** Scheduled at this instant or later. */
      readonly from?: string
      /** Scheduled at this instant or earlier. */
      readonly to?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
      /** As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are. */
      readonly delayed?: boolean
    }
    readonly body: {
      readonly matches: readonly Match[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** A match, by GUID, or by its number within `division`. */
  readonly '/tournaments/{tournament}/matches/{match}': {
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
      /** As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are. */
      readonly delayed?: boolean
    }
    readonly body: Match
  }
  /** Matches of all listed tournaments, in order of time. */
  readonly '/matches': {
    readonly query: {
      /** Comma list of statuses. */
      readonly status?: string
      /** Matches at this instant or later. */
      readonly from?: string
      /** Matches at this instant or earlier. */
      readonly to?: string
      /** Context id of the platform whose listed tournaments are asked for; the system platform unless given. */
      readonly platform?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly matches: readonly MatchCard[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** How a match is picked and played: the state of its session. */
  readonly '/tournaments/{tournament}/matches/{match}/flow': {
    readonly query: {
      /** Where the match is named by its number. */
      readonly division?: string
      /** As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are. */
      readonly delayed?: boolean
    }
    readonly body: FlowState
  }
  /** Sessions of flows in a tournament, newest first: those of matches, and free ones. */
  readonly '/tournaments/{tournament}/flow-sessions': {
    readonly query: {
      /** Only sessions of the match with this GUID. */
      readonly match?: string
      /** Comma list of statuses. */
      readonly status?: string
      /** Only those without a match, or only those with one. */
      readonly free?: boolean
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
      /** As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are. */
      readonly delayed?: boolean
    }
    readonly body: {
      readonly sessions: readonly FlowSession[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The state of a session: who has the turn, what was chosen and played, what is left. */
  readonly '/tournaments/{tournament}/flow-sessions/{flowSession}': {
    readonly query: {
      /** As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are. */
      readonly delayed?: boolean
    }
    readonly body: FlowState
  }
  /** The log of a session, oldest first. */
  readonly '/tournaments/{tournament}/flow-sessions/{flowSession}/log': {
    readonly query: {
      /** Only rows behind this position. */
      readonly after?: number
      /** How many rows at most. */
      readonly limit?: number
    }
    readonly body: {
      readonly rows: readonly FlowRow[]
      /** Give it as `after` to get the next rows; null where there are none yet. */
      readonly nextAfter: number | null
    }
  }
  /** The divisions of a tournament with their brackets, without matches. */
  readonly '/tournaments/{tournament}/divisions': {
    readonly query: Record<never, never>
    readonly body: readonly DivisionWithBrackets[]
  }
  /** A bracket with its rounds, matches and standings. */
  readonly '/tournaments/{tournament}/brackets/{bracket}': {
    readonly query: {
      /** As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are. */
      readonly delayed?: boolean
    }
    readonly body: BracketWithMatches
  }
  /** The table of a bracket, group by group, computed from its results. */
  readonly '/tournaments/{tournament}/brackets/{bracket}/standings': {
    readonly query: {
      /** As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are. */
      readonly delayed?: boolean
    }
    readonly body: {
      readonly standings: readonly Standing[]
    }
  }
  /** Whether the caller’s team could be registered now, and everything that stands in the way. */
  readonly '/tournaments/{tournament}/registration-eligibility': {
    readonly query: Record<never, never>
    readonly body: Eligibility
  }
  /** The registration desk: every team with its answers, and what stands in the way of its place. */
  readonly '/tournaments/{tournament}/registrations': {
    readonly query: {
      /** Which teams are shown; all unless given. */
      readonly filter?: 'ready' | 'blocked' | 'changed'
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly registration: RegistrationState
      readonly teams: readonly RegistrationDeskEntry[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** Corrections of results, matches that were opened again, and withdrawals that were taken back, newest first. */
  readonly '/tournaments/{tournament}/corrections': {
    readonly query: {
      /** GUID, in lower case in answers. */
      readonly match?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly corrections: readonly CorrectionEntry[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The assistant that the tournament is linked to, without its secrets. */
  readonly '/tournaments/{tournament}/assistant': {
    readonly query: Record<never, never>
    readonly body: AssistantLink
  }
  /** The qualifier of the tournament: its maps, its method and where it stands. */
  readonly '/tournaments/{tournament}/qualifier': {
    readonly query: Record<never, never>
    readonly body: Qualifier
  }
  /** The standings of the qualifier, for teams and for players. */
  readonly '/tournaments/{tournament}/qualifier/standings': {
    readonly query: Record<never, never>
    readonly body: QualifierStandings
  }
  /** The ledger of attempts, newest first. */
  readonly '/tournaments/{tournament}/qualifier/attempts': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
      /** GUID, in lower case in answers. */
      readonly map?: string
      /** Any identifier of a user, or `@me`. */
      readonly user?: string
    }
    readonly body: {
      readonly attempts: readonly QualifierAttempt[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** Who is sure of one of the first places of a table, who may still come to one, and who may not. */
  readonly '/tournaments/{tournament}/brackets/{bracket}/outlook': {
    readonly query: {
      /** How many go on, of each group where there are several. Of a group that is no larger, all are sure. */
      readonly places?: number
      /** As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are. */
      readonly delayed?: boolean
    }
    readonly body: BracketOutlook
  }
  /** Which teams are sure to advance from the qualifier, which may still, and what they need. */
  readonly '/tournaments/{tournament}/qualifier/outlook': {
    readonly query: Record<never, never>
    readonly body: QualifierOutlook
  }
  /** The availability sheets that are for the caller, and what the caller is to them. */
  readonly '/tournaments/{tournament}/availability': {
    readonly query: Record<never, never>
    readonly body: AvailabilityState
  }
  /** One availability sheet, with the answers that the caller may see. */
  readonly '/tournaments/{tournament}/availability/sheets/{sheet}': {
    readonly query: Record<never, never>
    readonly body: AvailabilitySheet
  }
  /** Who can when: answers by slot or match, with the best ranked. */
  readonly '/tournaments/{tournament}/availability/sheets/{sheet}/overlap': {
    readonly query: {
      /** Only so many of the best; all unless given. */
      readonly top?: number
    }
    readonly body: AvailabilityOverlap
  }
  /** A proposal, as it was worked out. The newest twenty of a tournament are kept. */
  readonly '/tournaments/{tournament}/schedule/proposals/{proposal}': {
    readonly query: Record<never, never>
    readonly body: ScheduleProposal
  }
  /** The maps that were suggested for pools, newest first. */
  readonly '/tournaments/{tournament}/suggestions': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
      /** What became of them. */
      readonly status?: 'open' | 'accepted' | 'rejected' | 'withdrawn'
      /** GUID of the pool that they are for. */
      readonly pool?: string
      /** Any identifier of a user, or `@me`. */
      readonly by?: string
    }
    readonly body: {
      readonly suggestions: readonly Suggestion[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** One map that was suggested, with what became of it. */
  readonly '/tournaments/{tournament}/suggestions/{suggestion}': {
    readonly query: Record<never, never>
    readonly body: Suggestion
  }
  /** How one voted on a suggestion, and how others did. */
  readonly '/tournaments/{tournament}/suggestions/{suggestion}/vote': {
    readonly query: Record<never, never>
    readonly body: Votes
  }
  /** How one voted on a map of a pool, and how others did. */
  readonly '/tournaments/{tournament}/pools/{pool}/maps/{poolMap}/vote': {
    readonly query: Record<never, never>
    readonly body: Votes
  }
  /** What poolers say of a suggestion, oldest first. */
  readonly '/tournaments/{tournament}/suggestions/{suggestion}/comments': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly comments: readonly Comment[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** What poolers say of a map in a pool, oldest first. */
  readonly '/tournaments/{tournament}/pools/{pool}/maps/{poolMap}/comments': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly comments: readonly Comment[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The imports into a pool in the last 90 days, newest first, without their rows. */
  readonly '/tournaments/{tournament}/pools/{pool}/imports': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly imports: readonly ListedImport[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** An import into a pool, with what became of each of its rows. */
  readonly '/tournaments/{tournament}/pools/{pool}/imports/{import}': {
    readonly query: Record<never, never>
    readonly body: Import
  }
  /** Which pools the matches of a tournament use. */
  readonly '/tournaments/{tournament}/pool-plan': {
    readonly query: Record<never, never>
    readonly body: PoolPlan
  }
  /** Flows of tournaments that are known, to begin with. */
  readonly '/flow-presets': {
    readonly query: Record<never, never>
    readonly body: readonly FlowPreset[]
  }
  /** A flow that is known, by its name. */
  readonly '/flow-presets/{preset}': {
    readonly query: Record<never, never>
    readonly body: FlowPreset
  }
  /** The flows of a tournament, the oldest first. */
  readonly '/tournaments/{tournament}/flows': {
    readonly query: Record<never, never>
    readonly body: readonly Flow[]
  }
  /** A flow: its steps, its rules, and what is wrong with it. */
  readonly '/tournaments/{tournament}/flows/{flow}': {
    readonly query: Record<never, never>
    readonly body: Flow
  }
  /** Which flows the matches of a tournament are played by. */
  readonly '/tournaments/{tournament}/flow-plan': {
    readonly query: Record<never, never>
    readonly body: FlowPlan
  }
  /** What songs of a match came to, as it was told by the assistant or by players’ games; newest first. */
  readonly '/tournaments/{tournament}/matches/{match}/proposals': {
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly proposals: readonly GameProposal[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
      /** Blocking warnings that hold the flow of the match. */
      readonly blockedBy: readonly FlowWarning[]
    }
  }
  /** The open sessions of the tournament’s matches. */
  readonly '/tournaments/{tournament}/assistant/sessions': {
    readonly query: Record<never, never>
    readonly body: AssistantSessions
  }
  /** How a match is managed at the assistant: the open session, else the last one. */
  readonly '/tournaments/{tournament}/matches/{match}/assistant': {
    readonly query: Record<never, never>
    readonly body: AssistantSession | null
  }
  /** Maps of the published pools of listed tournaments. */
  readonly '/resources/pooling/maps': {
    readonly query: {
      /** Words of name, sub name, artist and mapper; the last one may be a beginning. */
      readonly q?: string
      /** Of the song’s files. */
      readonly hash?: string
      /** Of the song in the catalogue. */
      readonly key?: string
      /** The whole name, in any case. */
      readonly mapper?: string
      /** Easy, Normal, Hard, Expert, ExpertPlus, in any case. */
      readonly difficulty?: string
      /** Name of a characteristic, in any case. */
      readonly characteristic?: string
      /** Name of a flair, in any case. */
      readonly flair?: string
      /** Maps with stars on that platform, which the other parameters then mean; A unless given. */
      readonly ranking?: 'a' | 'b'
      /** The fewest stars on the platform of `ranking`. */
      readonly starsMin?: number
      /** The most stars on the platform of `ranking`. */
      readonly starsMax?: number
      /** The fewest notes per second. */
      readonly npsMin?: number
      /** The most notes per second. */
      readonly npsMax?: number
      /** The shortest duration in seconds. */
      readonly secondsMin?: number
      /** The longest duration in seconds. */
      readonly secondsMax?: number
      /** GUID or short id of a tournament. */
      readonly tournament?: string
      /** GUID of a published pool in which the maps stand. */
      readonly pool?: string
      /** GUID or short id of a tournament: maps that are seen in none of its pools. */
      readonly unused?: string
      /** `newest`: by first publication; `used`: by number of pools; `name`; `stars`: on the platform of `ranking`. */
      readonly sort?: 'newest' | 'used' | 'name' | 'stars'
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly maps: readonly ListedMap[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** A map that stands in a published pool, where it was used and what was played on it. */
  readonly '/resources/pooling/maps/{mapGuid}': {
    readonly query: Record<never, never>
    readonly body: MapRecord
  }
  /** Published pools of listed tournaments, without their maps. */
  readonly '/resources/pooling/pools': {
    readonly query: {
      /** Words in the names of pool, tournament and playlist; the last one may be a beginning. */
      readonly q?: string
      /** GUID or short id of a tournament. */
      readonly tournament?: string
      /** What the pools are for: matches, or a qualifier. */
      readonly kind?: 'match' | 'qualifier'
      /** Whether the pools are in use or in the archive. */
      readonly status?: 'published' | 'archived'
      /** Of the song’s files. */
      readonly hash?: string
      /** Name of a flair, in any case. */
      readonly flair?: string
      /** Pools that were published no earlier. */
      readonly from?: string
      /** Pools that were published no later. */
      readonly to?: string
      /** `newest`: by publication, unless given; or by `name`. */
      readonly sort?: 'newest' | 'name'
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly pools: readonly PoolSummary[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** What was played on the maps of a pool. */
  readonly '/tournaments/{tournament}/pools/{pool}/statistics': {
    readonly query: Record<never, never>
    readonly body: PoolStatistics
  }
  /** The maps of a pool that were used before, and where. */
  readonly '/tournaments/{tournament}/pools/{pool}/duplicates': {
    readonly query: Record<never, never>
    readonly body: readonly Duplicate[]
  }
  /** Users, tournaments, teams and maps that a text finds, at most 5 of each. */
  readonly '/search': {
    readonly query: {
      /** Start of a user’s name, or a whole ID; words of anything else. */
      readonly q: string
    }
    readonly body: Found
  }
  /** The media servers that users may publish to, by name, without their secrets. */
  readonly '/admin/streamServers': {
    readonly query: Record<never, never>
    readonly body: readonly StreamServer[]
  }
  /** A media server, without its secret. */
  readonly '/admin/streamServers/{streamServer}': {
    readonly query: Record<never, never>
    readonly body: StreamServer
  }
  /** The signed-in user’s stream keys, the oldest first. */
  readonly '/users/@me/streamKeys': {
    readonly query: Record<never, never>
    readonly body: readonly StreamKey[]
  }
  /** What the signed-in user’s encoder must be told to publish, for each media server. */
  readonly '/users/@me/streamSettings': {
    readonly query: {
      /** Which key the fields are made of; the newest unless given. */
      readonly streamKey?: string
    }
    readonly body: StreamSettings
  }
  /** Who is to stream for the tournament, by start. */
  readonly '/tournaments/{tournament}/streamAssignments': {
    readonly query: {
      /** Of one match: its GUID, or its number. */
      readonly match?: string
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
      /** Of one user: any identifier. */
      readonly user?: string
      /** Comma list of statuses. */
      readonly status?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly streamAssignments: readonly StreamAssignment[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The channels on which the audience watches the tournament, in their order. */
  readonly '/tournaments/{tournament}/channels': {
    readonly query: Record<never, never>
    readonly body: ChannelList
  }
  /** Which matches a channel shows, with all that everybody may know of the next one. */
  readonly '/tournaments/{tournament}/channels/{channel}/queue': {
    readonly query: Record<never, never>
    readonly body: ChannelQueue
  }
  /** Whose streams the tournament shows, who of them is live, and where to watch. */
  readonly '/tournaments/{tournament}/streams': {
    readonly query: Record<never, never>
    readonly body: {
      readonly streams: readonly TournamentStream[]
    }
  }
  /** Whether a user is live, and where to watch. */
  readonly '/users/{user}/stream': {
    readonly query: Record<never, never>
    readonly body: UserStream
  }
  /** Streams that were published for a tournament, newest first. */
  readonly '/tournaments/{tournament}/streamSessions': {
    readonly query: {
      /** Only those of the user with this GUID. */
      readonly user?: string
      /** Only those that are live, or only those that have ended. */
      readonly live?: boolean
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly streamSessions: readonly StreamSession[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** Streams that were published, tests among them, newest first. */
  readonly '/admin/streamSessions': {
    readonly query: {
      /** Only those of the user with this GUID. */
      readonly user?: string
      /** Only those that are live, or only those that have ended. */
      readonly live?: boolean
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
      /** Only tests, or only those that are none. */
      readonly test?: boolean
    }
    readonly body: {
      readonly streamSessions: readonly StreamSession[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The overlays of the tournament, in the order in which they were made. */
  readonly '/tournaments/{tournament}/overlays': {
    readonly query: Record<never, never>
    readonly body: readonly Overlay[]
  }
  /** An overlay: what it is called, what it points at, what is published of it. */
  readonly '/tournaments/{tournament}/overlays/{overlay}': {
    readonly query: Record<never, never>
    readonly body: Overlay
  }
  /** The view tokens of an overlay, in the order in which they were made. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/tokens': {
    readonly query: Record<never, never>
    readonly body: readonly ViewToken[]
  }
  /** Which overlay a page shows, and in which tournament it is. */
  readonly '/overlays/{overlay}': {
    readonly query: Record<never, never>
    readonly body: ShownOverlay
  }
  /** What an overlay shows now: its scene, its casters, and what else is set by hand. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/control': {
    readonly query: Record<never, never>
    readonly body: OverlayControl
  }
  /** What the scenes of an overlay are bound to: the match that it points at, and its tournament. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/data': {
    readonly query: {
      /** As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are. */
      readonly delayed?: boolean
    }
    readonly body: OverlayData
  }
  /** All that the page of an overlay shows, in one answer: for tools that ask again and again. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/state': {
    readonly query: Record<never, never>
    readonly body: OverlayState
  }
  /** Every path that elements of scenes may be bound to, and what of them may be bound. */
  readonly '/overlays/bindings': {
    readonly query: Record<never, never>
    readonly body: OverlayBindings
  }
  /** What an overlay could be told of a tournament that nobody has played, to look at scenes with. */
  readonly '/overlays/sample-data': {
    readonly query: {
      /** What is under way: a song of two players (`solo`, which is usual), of two teams, of many; picks and bans; a bracket; a break before the match; or the end of the tournament. */
      readonly preset?: 'solo' | 'teams' | 'free_for_all' | 'pick_ban' | 'bracket' | 'break' | 'finished'
    }
    readonly body: OverlaySample
  }
  /** The scene document of an overlay as it is edited now. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/scene': {
    readonly query: Record<never, never>
    readonly body: SceneDocument
  }
  /** The scene document that the pages of an overlay show. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/published': {
    readonly query: Record<never, never>
    readonly body: PublishedScenes
  }
  /** The versions that are kept of an overlay, newest first. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/versions': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly versions: readonly OverlayVersion[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** A version of an overlay, with its scene document. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/versions/{version}': {
    readonly query: Record<never, never>
    readonly body: OverlayVersionDocument
  }
  /** The draft of an overlay with all media that it shows, as one file. */
  readonly '/tournaments/{tournament}/overlays/{overlay}/package': {
    readonly query: Record<never, never>
    readonly body: OverlayPackage
  }
  /** What overlays can be made from: built-in templates, and the caller’s own. */
  readonly '/overlay-templates': {
    readonly query: {
      /** GUID or short id of a tournament whose overlays are shown too. */
      readonly tournament?: string
    }
    readonly body: readonly OverlayTemplate[]
  }
  /** A template with its document. */
  readonly '/overlay-templates/{overlayTemplate}': {
    readonly query: Record<never, never>
    readonly body: WholeOverlayTemplate
  }
  /** What runs and what comes next, with all that those who run a match day must know of it. */
  readonly '/tournaments/{tournament}/coordination': {
    readonly query: Record<never, never>
    readonly body: Coordination
  }
  /** Badges, the newest first. */
  readonly '/badges': {
    readonly query: {
      /** A part of the name, in any case. */
      readonly q?: string
      /** GUID or short id of a tournament. */
      readonly tournament?: string
      /** Badges of this kind alone. */
      readonly kind?: 'placement' | 'participation' | 'staff' | 'award' | 'special'
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly badges: readonly Badge[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** A badge with how many hold it. */
  readonly '/badges/{badge}': {
    readonly query: Record<never, never>
    readonly body: Badge
  }
  /** Who holds a badge, those who were given it last first. */
  readonly '/badges/{badge}/holders': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly holders: readonly BadgeHolder[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The badges of a user: first in the order that they chose, then the newest first. */
  readonly '/users/{user}/badges': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly badges: readonly HeldBadge[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** An import of badges, and how far it has come. */
  readonly '/admin/badgeImports/{badgeImport}': {
    readonly query: Record<never, never>
    readonly body: BadgeImport
  }
  /** What might be asked for: badges for those who were placed. */
  readonly '/tournaments/{tournament}/badgeRequests/draft': {
    readonly query: Record<never, never>
    readonly body: BadgeRequestDraft
  }
  /** The requests for badges of a tournament, newest first. */
  readonly '/tournaments/{tournament}/badgeRequests': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly badgeRequests: readonly BadgeRequest[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The requests for badges of all tournaments, those that wait first. */
  readonly '/admin/badgeRequests': {
    readonly query: {
      /** Comma list of statuses. */
      readonly status?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly badgeRequests: readonly BadgeRequest[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** Editions of the awards, newest first. */
  readonly '/awards': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly editions: readonly ListedAwards[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** An edition of the awards with its categories and, from voting on, its nominees. */
  readonly '/awards/{edition}': {
    readonly query: Record<never, never>
    readonly body: Awards
  }
  /** A category of an edition and, from voting on, its nominees. */
  readonly '/awards/{edition}/categories/{category}': {
    readonly query: Record<never, never>
    readonly body: AwardCategory
  }
  /** Whether the caller may nominate and vote, with every check that fails. */
  readonly '/awards/{edition}/eligibility': {
    readonly query: Record<never, never>
    readonly body: AwardEligibility
  }
  /** The caller’s nominations in a category; for those who manage awards, all of them. */
  readonly '/awards/{edition}/categories/{category}/nominations': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly nominations: readonly Nomination[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** Your own votes in an edition of awards. */
  readonly '/awards/{edition}/votes/@me': {
    readonly query: Record<never, never>
    readonly body: OwnVotes
  }
  /** The results of an edition of awards, once they are published. */
  readonly '/awards/{edition}/results': {
    readonly query: Record<never, never>
    readonly body: AwardResults
  }
  /** How many users have voted and, once voting is closed, what their accounts have in common. */
  readonly '/admin/awards/{edition}/turnout': {
    readonly query: Record<never, never>
    readonly body: AwardTurnout
  }
  /** Users whose votes are left out of an edition, the first of them first. */
  readonly '/admin/awards/{edition}/exclusions': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly exclusions: readonly AwardExclusion[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** What happens in listed tournaments, and around awards, in a window of time, ordered by start. */
  readonly '/calendar': {
    readonly query: {
      /** Entries that end no earlier. */
      readonly from: string
      /** Entries that start no later; at most 366 days after `from`. */
      readonly to: string
      /** Context id of the platform whose listed tournaments are asked for; the system platform unless given. */
      readonly platform?: string
      /** Comma list of tournament, registration, timeline, match, qualifier, award; all of them unless given. */
      readonly kinds?: string
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly entries: readonly CalendarEntry[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** What the signed-in user has to do: matches, duties, invitations, sheets, deadlines, roster problems. */
  readonly '/users/@me/agenda': {
    readonly query: {
      /** Matters at this instant or later. */
      readonly from?: string
      /** Matters at this instant or earlier; at most 366 days after `from`. */
      readonly to?: string
    }
    readonly body: Agenda
  }
  /** What is wrong in the tournament, or will be: for its staff. */
  readonly '/tournaments/{tournament}/health': {
    readonly query: Record<never, never>
    readonly body: readonly TournamentFinding[]
  }
  /** The devices on which the signed-in user is told of what concerns them, the oldest first. */
  readonly '/users/@me/pushDevices': {
    readonly query: Record<never, never>
    readonly body: PushDevices
  }
  /** Everything that is held about the signed-in user, as a file. */
  readonly '/users/@me/export': {
    readonly query: Record<never, never>
    readonly body: AccountExport
  }
  /** What can be followed: the patterns of all topics, who may follow them, and what they tell. */
  readonly '/realtime/topics': {
    readonly query: Record<never, never>
    readonly body: {
      readonly topics: readonly TopicPattern[]
    }
  }
  /** The signed-in user’s open sockets and streams, newest first. */
  readonly '/realtime/connections': {
    readonly query: Record<never, never>
    readonly body: readonly Connection[]
  }
}

/** A user as administrators read them. */
export interface Account {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly avatarUrl: string
  /** The record stands for a person from an organiser’s sheet who has not signed in yet. */
  readonly isPlaceholder: boolean
  /** Markdown. */
  readonly description: string
  /** First in the order that the user chose, then the newest first; at most 50. */
  readonly badges: readonly HeldBadge[]
  /** Newest first; at most the newest 200 of each kind. */
  readonly permissions: readonly Permission[]
  readonly preferredName: string
  readonly pronouns: string | null
  readonly headset: string | null
  readonly grip: string | null
  readonly controllers: string | null
  /** ISO 3166-1 alpha-2 code, or `XK`. */
  readonly country: string | null
  readonly rankingIdA: string | null
  readonly rankingIdB: string | null
  readonly streamingName: string | null
  readonly email: string | null
  readonly emailVerified: boolean
  readonly isBot: boolean
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly joinedAt: string
  /** As granted; what they imply is not listed. */
  readonly globalRoles: readonly ('role:owner' | 'role:dev' | 'global:tournaments:manage' | 'global:users:read' | 'global:badges:manage' | 'global:notices:manage')[]
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly bannedAt: string | null
  readonly banReason: string | null
  /** Newest first; at most 20. */
  readonly emailVerificationRequests: readonly EmailVerification[]
  /** The oldest first; `key` is for the user’s own tokens of the website alone. */
  readonly streamKeys: readonly StreamKey[]
}

/** Everything that is held about the caller. */
export interface AccountExport {
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly exportedAt: string
  /** The account itself. */
  readonly profile: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly chatPlatformId: string
    readonly username: string
    readonly preferredName: string
    readonly avatarUrl: string
    readonly chatAvatarUrl: string | null
    readonly description: string
    readonly pronouns: string | null
    readonly headset: string | null
    readonly grip: string | null
    readonly controllers: string | null
    readonly country: string | null
    readonly email: string | null
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly emailVerifiedAt: string | null
    readonly isBot: boolean
    readonly globalRoles: readonly ('role:owner' | 'role:dev' | 'global:tournaments:manage' | 'global:users:read' | 'global:badges:manage' | 'global:notices:manage')[]
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly createdAt: string
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly updatedAt: string
  }
  readonly held: {
    readonly applications: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly consents: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly grants: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly accessTokens: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly rankingProfiles: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly identities: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly signIns: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly signInPlaces: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly emailVerifications: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly tournamentRoles: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly notifications: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly platformMemberships: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly tournaments: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly notices: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly visibilityDecisions: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly platformMessages: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly updates: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly claims: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly claimLinksMade: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly teams: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly answers: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly invitations: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly invitationsSent: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly mapsAdded: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly poolCorrections: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly officialAssignments: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly gamesPlayed: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly flowRows: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly flowSessionsBegun: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly appearances: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly importedPeople: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly corrections: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly assistantLinks: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly assistantTokens: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly qualifierAttempts: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly availability: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly availabilitySheets: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly teamAvailability: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly scheduleProposals: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly suggestions: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly mapVotes: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly poolComments: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly imports: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly assistantFinishes: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly gameProposalsDecided: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly assistantSessionsOpened: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly assistantCommands: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly bridgeTickets: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly bridgeTicketsMade: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly streamKeys: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly streamAssignments: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly streamSessions: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly overlayVersions: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly overlayTemplates: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly overlaysEdited: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly overlayTokens: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly overlayControls: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly badges: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly badgesGranted: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly badgesMade: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly badgeImports: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly badgeRequests: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly badgesAskedFor: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly awardNominations: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly awardVotes: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly awardRoll: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly awardExclusions: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly calendarAddress: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly pushDevices: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly activity: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly connections: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly media: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
  }
}

/** A user as administrators list them. */
export interface AccountSummary {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly avatarUrl: string
  /** The record stands for a person from an organiser’s sheet who has not signed in yet. */
  readonly isPlaceholder: boolean
  /** Markdown. */
  readonly description: string
  /** First in the order that the user chose, then the newest first; at most 50. */
  readonly badges: readonly HeldBadge[]
  /** Newest first; at most the newest 200 of each kind. */
  readonly permissions: readonly Permission[]
  readonly preferredName: string
  readonly pronouns: string | null
  readonly headset: string | null
  readonly grip: string | null
  readonly controllers: string | null
  /** ISO 3166-1 alpha-2 code, or `XK`. */
  readonly country: string | null
  readonly rankingIdA: string | null
  readonly rankingIdB: string | null
  readonly streamingName: string | null
  readonly email: string | null
  readonly emailVerified: boolean
  readonly isBot: boolean
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly joinedAt: string
  /** As granted; what they imply is not listed. */
  readonly globalRoles: readonly ('role:owner' | 'role:dev' | 'global:tournaments:manage' | 'global:users:read' | 'global:badges:manage' | 'global:notices:manage')[]
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly bannedAt: string | null
  readonly banReason: string | null
}

/** An OAuth application. */
export interface Application {
  /** GUID, in lower case in answers. */
  readonly clientId: string
  readonly name: string
  readonly imageUrl: string | null
  /** Whether it can keep a secret: a server can, what runs at its users cannot. */
  readonly type: 'confidential' | 'public'
  /** What it may ask its users for. */
  readonly scopes: readonly ('rest:user:read' | 'rest:user:write' | 'rest:read' | 'rest:write' | 'ws:read' | 'ws:write' | 'assistant' | 'assistant:game' | 'compsystem')[]
  readonly redirectUris: readonly string[]
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface AvailabilityOverlap {
  /** Slots in order of time, or matches in that of their times. */
  readonly slots: readonly {
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly startsAt?: string
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly endsAt?: string
    /** GUID, in lower case in answers. */
    readonly matchGuid?: string
    readonly counts: {
      readonly available: number
      readonly maybe: number
      readonly would_rather_not: number
      readonly unavailable: number
      /** Of those who were asked. */
      readonly unanswered: number
    }
    /** Those who answered. */
    readonly people: readonly {
      /** GUID, in lower case in answers. */
      readonly userGuid?: string
      /** GUID, in lower case in answers. */
      readonly teamGuid?: string
      /** Null for teams. */
      readonly role: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee' | null
      readonly status: 'available' | 'maybe' | 'unavailable' | 'would_rather_not'
    }[]
    /** 1 for the best. */
    readonly rank: number
  }[]
}

export interface AwardEligibility {
  readonly nominate: {
    readonly allowed: boolean
    /** Every failed check, with what to do about it. */
    readonly failures: readonly AwardFailure[]
  }
  readonly vote: {
    readonly allowed: boolean
    /** Every failed check, with what to do about it. */
    readonly failures: readonly AwardFailure[]
  }
}

/** A user whose votes do not count, as managers see it. */
export interface AwardExclusion {
  readonly user: UserCard
  readonly reason: string
  /** What the user says to it; null where they have said nothing. */
  readonly answer: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly answeredAt: string | null
  /** Null for somebody who has no account any more. */
  readonly excludedBy: UserCard | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
}

export interface AwardFailure {
  readonly code: 'banned' | 'bot' | 'account_too_new' | 'link_missing' | 'link_too_new' | 'too_few_tournaments'
  readonly message: string
}

export interface AwardPlace {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly label: string
  readonly link: string | null
  readonly result: AwardResult
}

export interface AwardResult {
  /** 1, 2, 2, 4; null where nobody voted. */
  readonly place: number | null
  readonly winner: boolean
  /** Null where the rules of the edition withhold counts. */
  readonly votes: number | null
  /** Null where the rules of the edition withhold counts. */
  readonly share: number | null
  /** Of a runoff that it was in; null for none. */
  readonly runoff: RunoffResult | null
}

export interface AwardResults {
  readonly edition: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly title: string
  }
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly publishedAt: string
  /** Users of whom at least one vote counts. */
  readonly voters: number
  readonly excluded: ExcludedVotes
  /** SHA-256 of the sorted lines `category,nominee` of all ballots, joined by line feeds. Null where counts are withheld. */
  readonly ballotsDigest: string | null
  /** The same of the ballots of runoffs; null where there was none, or counts are withheld. */
  readonly runoffDigest: string | null
  readonly categories: readonly CategoryResult[]
  /** What was put right since, the oldest first. */
  readonly corrections: readonly {
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly at: string
    readonly reason: string
  }[]
}

export interface AwardTurnout {
  /** Users who have a vote, as they were counted last: not those who took all of theirs back. */
  readonly voters: number
  /** Once an hour while voting is open; null before the first time. */
  readonly countedAt: string | null
  /** To find false accounts, once voting is closed; null before. Never with choices. */
  readonly groups: VoterGroups | null
}

/** What users hold for what they did. */
export interface Badge {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly name: string
  /** Plain text. */
  readonly description: string
  readonly kind: 'placement' | 'participation' | 'staff' | 'award' | 'special'
  /** Null while its picture was taken down and no other one given. */
  readonly imageUrl: string | null
  /** Null too where the caller may not know of it. */
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
  } | null
  /** Of the awards that it was given in. */
  readonly edition: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
  } | null
  /** How many users hold it. */
  readonly holders: number
  /** From then on it can be granted no longer. */
  readonly retiredAt: string | null
  /** For those who manage badges; null where it was the service itself, or somebody who is gone. */
  readonly createdBy?: UserCard | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

/** A user who holds a badge, with how they came by it. */
export interface BadgeHolder {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly user: UserCard
  /** What is written beside it. */
  readonly label: string | null
  readonly place: number | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly awardedAt: string
  readonly source: 'request' | 'manual' | 'import' | 'award'
  /** Its holder has hidden it: others do not see that they hold it. */
  readonly hidden?: true
}

/** An import of the badges of everybody, and how far it has come. */
export interface BadgeImport {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly status: 'running' | 'done' | 'failed'
  readonly dryRun: boolean
  /** Badges that are new. */
  readonly made: number
  readonly granted: number
  /** Users whose badges stayed as they were. */
  readonly skipped: number
  /** Users of whom the platform told nothing. */
  readonly failures: number
  /** The first of these. */
  readonly failed: readonly string[]
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly finishedAt: string | null
}

/** What an organiser asks for. */
export interface BadgeRequest {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
  }
  readonly status: 'pending' | 'approved' | 'rejected' | 'withdrawn'
  readonly message: string
  readonly badges: readonly RequestedBadge[]
  /** Of the decision. */
  readonly reason: string | null
  readonly createdBy: UserCard | null
  readonly reviewedBy: UserCard | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** When it was approved, rejected or withdrawn. */
  readonly decidedAt: string | null
  /** `expectedUpdatedAt` of the next change. */
  readonly updatedAt: string
}

export interface BadgeRequestDraft {
  readonly badges: readonly {
    readonly name: string
    readonly description: string
    readonly kind: 'placement' | 'participation' | 'staff' | 'award' | 'special'
    /** null: the picture is for the organiser to choose. */
    readonly mediaGuid: string | null
    readonly recipients: readonly {
      readonly user: UserCard
      readonly label: string | null
      readonly place: number | null
    }[]
  }[]
}

/** A tournament from start to end, its registration or qualifier from opening to closing, an event of its timeline, a match, or a phase of awards: nominations, voting, and results. */
export interface CalendarEntry {
  readonly kind: 'tournament' | 'registration' | 'timeline' | 'match' | 'qualifier' | 'award'
  /** Of the timeline event, match, qualifier or edition of awards; null for what is the tournament’s own. */
  readonly guid: string | null
  readonly title: string
  /** Plain text. */
  readonly description: string | null
  /** Of the timeline event. */
  readonly icon: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt: string
  /** Null for an instant. Of a match by what is usual for its best-of, or its real end. */
  readonly endsAt: string | null
  /** It does not take place; the title of a match says why. */
  readonly cancelled: boolean
  /** Null for awards. */
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    /** Short id. */
    readonly id: string
    readonly name: string
    /** IANA name. */
    readonly timezone: string
  } | null
  /** The edition; null for what is of a tournament. */
  readonly award: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    /** Of its address. */
    readonly id: string
    readonly title: string
  } | null
}

export interface CategoryResult {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly name: string
  /** The best first. */
  readonly nominees: readonly AwardPlace[]
}

export interface ClaimLink {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly status: 'open' | 'used' | 'revoked' | 'expired'
  /** GUID, in lower case in answers. */
  readonly createdByGuid: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly expiresAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly usedAt: string | null
}

export interface ClaimPreview {
  readonly placeholder: UserCard
  /** What becomes the caller’s. */
  readonly places: readonly {
    readonly tournament: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly id: string
      readonly name: string
    }
    /** null where they are in no team any more. */
    readonly team: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly id: string
      readonly name: string
    } | null
    readonly isCaptain: boolean
  }[]
  /** Those of them in whose tournaments the caller has a place already: while there are any, the claim is refused. */
  readonly conflicts: readonly {
    readonly tournament: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly id: string
      readonly name: string
    }
    /** null where they are in no team any more. */
    readonly team: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly id: string
      readonly name: string
    } | null
    readonly isCaptain: boolean
  }[]
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly expiresAt: string
}

export interface Connection {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** How it is connected. */
  readonly door: 'socket' | 'sse' | 'ndjson'
  /** Client id of the application that acts for the user; null for none. */
  readonly application: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly connectedAt: string
  /** Network address that it came from. */
  readonly address: string
  /** How many topics it follows. */
  readonly subscriptions: number
}

export interface Duplicate {
  /** GUID, in lower case in answers. */
  readonly poolMapGuid: string
  readonly map: Map
  readonly usedBefore: readonly UsedBefore[]
}

/** Every check that a team passes, or does not, before it is registered. */
export interface Eligibility {
  /** Nothing stands in the way of registering now. */
  readonly eligible: boolean
  readonly registration: RegistrationState
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

/** A verification mail that a user asked for, as administrators see it. */
export interface EmailVerification {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly email: string
  /** `voided`: a newer request took its place. `undeliverable`: the mail server refused the mail. */
  readonly status: 'pending' | 'verified' | 'expired' | 'voided' | 'undeliverable'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly requestedAt: string
  /** When the mail server took the mail. */
  readonly sentAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly expiresAt: string
}

export interface EncoderSettings {
  readonly server: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string
  }
  readonly protocol: 'rtmp' | 'rtmps' | 'srt' | 'whip' | 'rtsp'
  /** Where the encoder sends to. For some protocols the key is part of it, of which applications see a stand-in. */
  readonly serverField: string
  /** What stands in the encoder’s field for the stream key, empty where that stays so; null for applications, and where there is no key. */
  readonly keyField: string | null
  /** What the encoder should send at least. */
  readonly minimum: {
    readonly height: number
    readonly fps: number
  }
}

export interface ExcludedVotes {
  /** Votes that do not count. */
  readonly votes: number
  /** How many for which class of reasons: a failed check of who may vote, `manager` for votes that managers left out, `nominee_declined` for those whose nominee declined. */
  readonly byReason: Readonly<Record<string, unknown>>
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

export interface FlowPreset {
  readonly name: string
  readonly title: string
  /** That a pool must have; null where the best of decides it. */
  readonly maps: number | null
  /** That a pool must have beside as many as the best of; null otherwise. */
  readonly mapsBeyondBestOf: number | null
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
}

export interface FlowProblem {
  readonly code: 'flow.no_decision' | 'flow.loop_without_play' | 'flow.nothing_to_play' | 'flow.too_few_maps' | 'flow.actor_unknown' | 'flow.tiebreaker_missing' | 'flow.timeout_impossible' | 'flow.pair_open' | 'flow.best_of_mismatch' | 'flow.players_mismatch' | 'flow.flair_unknown' | 'flow.too_long' | 'flow.unreachable' | 'flow.last_left_drawn' | 'flow.draw_possible'
  /** As it is written, from 1; null for the flow as a whole. */
  readonly step: string | null
  readonly severity: 'error' | 'warning'
  /** What to do about it. */
  readonly message: string
}

export interface FlowRow {
  /** From 1, without gaps. */
  readonly position: number
  /** What happened. */
  readonly kind: string
  /** Of the flow, as it is written; null for what is no step. */
  readonly step: string | null
  readonly seat: number | null
  /** Who wrote it; null for the system. */
  readonly by: UserCard | null
  /** A referee acted for the seat. */
  readonly onBehalf: boolean
  /** In the pool of the session; null in a secret choice until all is revealed. */
  readonly map: string | null
  /** What it says, by its kind. */
  readonly data: Readonly<Record<string, unknown>>
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
  /** Position of the row that took it back. */
  readonly undoneBy: number | null
}

export interface Found {
  readonly users: readonly UserCard[]
  readonly tournaments: readonly FoundTournament[]
  readonly teams: readonly FoundTeam[]
  readonly maps: readonly ListedMap[]
}

export interface FoundTeam {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly id: string
  readonly name: string
  readonly imageUrl: string | null
  readonly color: string | null
  /** In which it plays. */
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    /** Short id. */
    readonly id: string
    readonly name: string
    readonly imageUrl: string | null
  }
}

export interface FoundTournament {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Short id. */
  readonly id: string
  readonly name: string
  readonly imageUrl: string | null
  /** Plain text. */
  readonly summary: string | null
  readonly status: 'approved' | 'ongoing' | 'completed'
  /** IANA name. */
  readonly timezone: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt: string | null
}

export interface GrantedApplication {
  /** GUID, in lower case in answers. */
  readonly clientId: string
  readonly name: string
  readonly imageUrl: string | null
  /** What it may do by one or another of its tokens, and what the user has agreed to. */
  readonly scopes: readonly ('rest:user:read' | 'rest:user:write' | 'rest:read' | 'rest:write' | 'ws:read' | 'ws:write' | 'assistant' | 'assistant:game' | 'compsystem')[]
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly grantedAt: string
  /** When it was last given a token; null where it holds none any more. */
  readonly lastIssuedAt: string | null
  /** When its last token expires, unless it asks for another before; null where it holds none any more, while what the user has agreed to stands. */
  readonly expiresAt: string | null
  /** Whether it is this application that asks. */
  readonly current: boolean
}

/** A badge that a user holds. */
export interface HeldBadge {
  /** Of the grant: that this user holds this badge. */
  readonly guid: string
  /** GUID, in lower case in answers. */
  readonly badgeGuid: string
  readonly name: string
  /** Plain text. */
  readonly description: string
  readonly kind: 'placement' | 'participation' | 'staff' | 'award' | 'special'
  /** Null while its picture was taken down and no other one given. */
  readonly imageUrl: string | null
  /** What is written beside it. */
  readonly label: string | null
  readonly place: number | null
  /** Null too where the caller may not know of it. */
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
  } | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly awardedAt: string
  /** Its holder has hidden it: others do not see that they hold it. */
  readonly hidden?: true
}

/** An account elsewhere that is the user’s, or that they say is. */
export interface Identity {
  readonly platform: 'chat' | 'ranking-a' | 'ranking-b' | 'streaming'
  /** ID of the account on a ranking platform or the chat platform, name of a streaming account. */
  readonly externalId: string
  /** When it was proven that the account is the user’s; null while it is not. */
  readonly verifiedAt: string | null
  /** Proves the account when it stands in its profile text. Only while it is not proven. */
  readonly proofCode?: string
  /** What the ranking platform calls the account. */
  readonly name?: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly linkedAt: string
}

export interface LatestVisibilityDecision {
  /** GUID, in lower case in answers. */
  readonly requestGuid: string
  readonly decision: 'approved' | 'rejected' | 'blocked'
  readonly reason: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly decidedAt: string
  readonly decidedBy: UserCard
  readonly platform: PlatformSummary
  readonly tournament: TournamentSummary
}

export interface LatestVisibilityRequest {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly status: 'pending' | 'approved' | 'rejected' | 'blocked' | 'withdrawn'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly requestedAt: string
  readonly platform: PlatformSummary
  readonly tournament: TournamentSummary
}

/** An edition of awards. Its status alone says what is possible: dates may be overridden by hand. */
export interface ListedAwards {
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
}

export interface ListedImport {
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
}

export interface ListedMap {
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
  readonly usage: MapUsage
}

export interface ManagedNotice {
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
  readonly createdBy: UserCard
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface MapRecord {
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
  readonly usage: MapUsage
  /** The newest hundred, in listed tournaments. */
  readonly uses: readonly {
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
    readonly flair: Flair | null
    /** When it was first seen in the pool. */
    readonly publishedAt: string
  }[]
  readonly statistics: MapStatistics
}

/** Of public tournaments. */
export interface MapStatistics {
  readonly picked: number
  readonly banned: number
  readonly protected: number
  /** How often it was played as the tiebreaker. */
  readonly tiebreaker: number
  readonly played: number
  readonly wonByPicker: number
  readonly replays: number
  /** Scores that counted, those of final qualifiers included. */
  readonly scores: number
  /** Of the scores that have one; null below three of them. */
  readonly averageAccuracy: number | null
}

export interface MapUsage {
  /** Pools of listed tournaments in which everybody sees it. */
  readonly pools: number
  /** Tournaments of these. */
  readonly tournaments: number
  /** When it was last seen newly in one of them. */
  readonly lastUsedAt: string | null
}

/** A picture, video or font that a user gave, written anew by the service. */
export interface Media {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** What it is for. */
  readonly kind: 'avatar' | 'app_image' | 'team_image' | 'platform_image' | 'tournament_image' | 'tournament_banner' | 'update_image' | 'badge_image' | 'award_image' | 'overlay_image' | 'overlay_video' | 'overlay_font'
  readonly name: string
  /** null once the account was given up. */
  readonly owner: UserCard | null
  /** null also where the caller may not see it. */
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
  } | null
  readonly platform: {
    readonly contextId: string
  } | null
  /** Media type as it is delivered. */
  readonly type: 'image/webp' | 'image/png' | 'image/jpeg' | 'video/webm' | 'video/mp4' | 'font/woff2'
  /** As it is delivered. */
  readonly bytes: number
  /** null for fonts. */
  readonly width: number | null
  /** null for fonts. */
  readonly height: number | null
  readonly animated: boolean
  /** Of a video. */
  readonly durationMs: number | null
  /** Dominant colour, to be shown while it loads. */
  readonly color: string | null
  /** SHA-256 of the delivered bytes, in hex. */
  readonly digest: string
  /** Where it is delivered; records refer to it by this. */
  readonly url: string
  /** The same in smaller sizes, the narrowest first. With `.png` or `.jpeg` in place of `.webp` they come as that. */
  readonly variants: readonly {
    readonly width: number
    readonly url: string
  }[]
  /** In how many fields of records it stands, texts among them. */
  readonly usages: number
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface MediaQuota {
  /** That there may be. */
  readonly bytes: number
  readonly usedBytes: number
  /** That there may be. */
  readonly files: number
  readonly usedFiles: number
}

export interface MediaUsage {
  /** What uses it. */
  readonly subject: 'user' | 'tournament' | 'team' | 'platform' | 'application' | 'badge' | 'badge_request' | 'award' | 'award_category' | 'update' | 'overlay' | 'notice' | 'pool' | 'availability_sheet'
  /** Of what uses it; empty where that is gone or hidden from the caller. */
  readonly guid: string
  readonly field: string
  /** Of what uses it; empty where that is gone or hidden from the caller. */
  readonly name: string
  /** Whether the caller may unset the field. */
  readonly mayDetach: boolean
}

export interface Nomination {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** GUID, in lower case in answers. */
  readonly categoryGuid: string
  readonly user: NominatedUser | null
  readonly tournament: NominatedTournament | null
  /** Null for what is no team, and for one that is gone, or that not everybody may see. */
  readonly team: NominatedTeam | null
  /** In words, where no record is nominated. */
  readonly label: string | null
  readonly link: string | null
  readonly reason: string | null
  /** Whether it is the caller’s. Nobody is told whose the others are. */
  readonly isOwn: boolean
  /** How many users nominate the same, for managers; null for others. */
  readonly sameTarget: number | null
  /** What it was merged into, for managers; null for others. */
  readonly nomineeGuid: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
}

export interface OverlayBindings {
  /** In the order in which the tree is told of. */
  readonly paths: readonly {
    /** `{n}` is a place in a list, from 0; `{name}` a name that the document or a controller has chosen. */
    readonly path: string
    /** `text`, `number`, `boolean`, `instant`, `color`, `address`, `guid`; `list` and `object` for what holds others; `plain` for what may be a text, a number or a boolean. */
    readonly type: string
    /** What stands there. */
    readonly words: string
    /** Of a list, the longest that it gets; null where that is open, and for all others. */
    readonly most: number | null
  }[]
  readonly elements: readonly {
    /** Of the element. */
    readonly type: 'text' | 'image' | 'video' | 'shape' | 'group' | 'list' | 'bar' | 'pips' | 'timer' | 'mapCard' | 'pickBans' | 'bracket' | 'standings' | 'schedule' | 'casters' | 'stream'
    /** What may be bound to the tree, or set by a condition. */
    readonly bindable: readonly {
      /** What `property` of a binding, and `set` of a condition, may name. */
      readonly property: string
      /** `text`, `number`, `boolean`, `color` or `address`. */
      readonly type: string
    }[]
    /** What `parts` of its props may name; null for a type that is not drawn as a whole. */
    readonly parts: readonly string[] | null
    /** Those that are drawn where a document names none. */
    readonly usualParts: readonly string[] | null
  }[]
  /** Names of `format` in bindings. */
  readonly formatters: readonly string[]
}

export interface OverlayPackage {
  readonly format: 'downbeat-overlay'
  readonly version: 1
  readonly document: SceneDocument
  /** Each medium that the document shows, once. */
  readonly assets: readonly {
    /** By which the document names it. */
    readonly media: string
    readonly name: string
    readonly kind: 'overlay_image' | 'overlay_video' | 'overlay_font'
    /** Media type. */
    readonly type: string
    /** Base64, with padding. */
    readonly data: string
  }[]
}

export interface OverlaySample {
  /** The one that was asked for. */
  readonly preset: 'solo' | 'teams' | 'free_for_all' | 'pick_ban' | 'bracket' | 'break' | 'finished'
  /** As the data tree of an overlay is answered. */
  readonly data: Readonly<Record<string, unknown>>
  /** As the control state of an overlay is answered; its scene is null. */
  readonly control: Readonly<Record<string, unknown>>
  /** By key, as the live topic of an overlay tells them; empty where no song runs. */
  readonly live: Readonly<Record<string, unknown>>
}

export interface OverlayTemplate {
  /** Of a built-in one. */
  readonly key: string | null
  /** Of one’s own, or of the overlay; null for a built-in one. */
  readonly guid: string | null
  readonly name: string
  readonly description: string
  /** Of a picture; null as long as there is none. */
  readonly previewUrl: string | null
  /** `tournament`: an overlay that is there. */
  readonly origin: 'built_in' | 'own' | 'tournament'
  /** In their order. Of an overlay those that its pages show: none as long as nothing was published. */
  readonly scenes: readonly {
    readonly name: string
    readonly role: 'start' | 'teamIntro' | 'pickBan' | 'gameplay' | 'summary' | 'break' | 'casters' | 'bracket' | 'schedule' | 'standings' | 'qualifier' | 'winners' | 'other' | null
  }[]
}

/** The document of an overlay, as it once was. */
export interface OverlayVersion {
  /** Of the overlay, from 1; never used again. */
  readonly number: number
  /** `published`: pages showed it. `named`: an editor kept it. `automatic`: the service kept it; of these, the last twenty stay. */
  readonly kind: 'published' | 'named' | 'automatic'
  readonly name: string | null
  /** Who kept or published it; null for the service, and once the account was given up. */
  readonly by: UserCard | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
  /** Of its document as JSON. */
  readonly bytes: number
  /** Whether it is the one that pages show. */
  readonly current: boolean
}

export interface OverlayVersionDocument {
  readonly version: OverlayVersion
  readonly document: SceneDocument
}

/** A platform that the caller reviews or administers. */
export interface OwnPlatform {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Short id. */
  readonly contextId: string
  readonly name: string
  /** Empty where there is none. */
  readonly imageUrl: string
  /** Whether it decides on the main listing. */
  readonly isSystem: boolean
  /** Markdown. */
  readonly description: string
  readonly websiteUrl: string | null
  readonly counts: {
    /** On its public list. */
    readonly tournaments: number
  }
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
  /** What the caller is there; `global` for owners and developers. */
  readonly role: 'admin' | 'reviewer' | 'global'
}

export interface OwnVote {
  /** GUID, in lower case in answers. */
  readonly categoryGuid: string
  /** Null once voting in the category is over. */
  readonly nomineeGuid: string | null
  /** Null once voting in the category is over. */
  readonly castAt: string | null
  /** The nominee has declined since: the vote does not count; choose another. */
  readonly isVoid: boolean
}

export interface OwnVotes {
  readonly votes: readonly OwnVote[]
}

/** A role that a user holds, or a tournament that they organise. */
export interface Permission {
  readonly role: 'organiser' | 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee' | 'role:owner' | 'role:dev' | 'global:tournaments:manage' | 'global:users:read' | 'global:badges:manage' | 'global:notices:manage'
  readonly scope: 'global' | 'tournament'
  /** Where a role of scope `tournament` holds. */
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
    readonly name: string
  } | null
}

/** A community that tournaments may ask to be listed on. */
export interface Platform {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Short id. */
  readonly contextId: string
  readonly name: string
  /** Empty where there is none. */
  readonly imageUrl: string
  /** Whether it decides on the main listing. */
  readonly isSystem: boolean
  /** Markdown. */
  readonly description: string
  readonly websiteUrl: string | null
  readonly counts: {
    /** On its public list. */
    readonly tournaments: number
  }
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

/** A member of a platform’s review team. */
export interface PlatformMember {
  readonly user: UserCard
  readonly role: 'admin' | 'reviewer'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly addedAt: string
}

/** What administrators of a platform set and see. */
export interface PlatformSettings {
  readonly chatWebhookUrl: string | null
  readonly customWebhookUrl: string | null
  /** Whether there is one; never the secret itself. */
  readonly customWebhookSecret: 'configured' | null
  /** What is delivered. */
  readonly webhookEvents: readonly ('visibility_requested' | 'visibility_approved' | 'visibility_rejected' | 'visibility_blocked' | 'visibility_withdrawn' | 'member_added' | 'member_removed')[]
  /** The review team, in the order of being added. */
  readonly members: readonly PlatformMember[]
}

/** A community that tournaments may be listed on, in short. */
export interface PlatformSummary {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** Short id. */
  readonly contextId: string
  readonly name: string
  /** Empty where there is none. */
  readonly imageUrl: string
  /** Whether it decides on the main listing. */
  readonly isSystem: boolean
}

/** What goes on on all platforms. */
export interface PlatformsOverview {
  /** The system platform first. */
  readonly platforms: readonly {
    readonly platform: PlatformSummary
    /** How many there are of each status. */
    readonly requests: {
      readonly pending: number
      readonly approved: number
      readonly rejected: number
      readonly blocked: number
      readonly withdrawn: number
    }
  }[]
  /** The last 25 that were submitted, newest first. */
  readonly latestRequests: readonly LatestVisibilityRequest[]
  /** The last 25, newest first, whatever followed. */
  readonly latestDecisions: readonly LatestVisibilityDecision[]
}

export interface PoolPlan {
  /** 0 before there is a plan; grows with each change. */
  readonly revision: number
  /** The pool of whatever is not named. */
  readonly default: string | null
  readonly brackets: readonly {
    /** GUID, in lower case in answers. */
    readonly bracketGuid: string
    /** GUID, in lower case in answers. */
    readonly poolGuid: string | null
    /** GUIDs of pools, by `section:round`. */
    readonly rounds: Readonly<Record<string, string>>
  }[]
  readonly matches: readonly {
    /** GUID, in lower case in answers. */
    readonly matchGuid: string
    /** GUID, in lower case in answers. */
    readonly poolGuid: string
  }[]
}

export interface PoolStatistics {
  readonly picked: number
  readonly banned: number
  readonly protected: number
  /** How often it was played as the tiebreaker. */
  readonly tiebreaker: number
  readonly played: number
  readonly wonByPicker: number
  readonly replays: number
  /** Scores that counted, those of final qualifiers included. */
  readonly scores: number
  /** Of the scores that have one; null below three of them. */
  readonly averageAccuracy: number | null
  /** The maps of the pool that the caller sees, in its order; what stands above is their sum. */
  readonly maps: readonly {
    /** GUID, in lower case in answers. */
    readonly poolMapGuid: string
    /** GUID, in lower case in answers. */
    readonly mapGuid: string
    readonly name: string | null
    readonly statistics: MapStatistics
  }[]
}

export interface PoolSummary {
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
  /** Of what everybody sees. */
  readonly counts: {
    readonly maps: number
  }
}

export interface PoolingSettings {
  /** Whoever may see the tournament may suggest maps. */
  readonly openSuggestions: boolean
  /** Poolers see how others voted once they have voted themselves. */
  readonly hideVotes: boolean
}

/** A browser on which a user is told of what concerns them. */
export interface PushDevice {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly name: string | null
  /** Host of the browser’s push service. */
  readonly service: string
  /** SHA-256 of the endpoint as base64url, by which a browser recognises itself. The endpoint is secret. */
  readonly endpointDigest: string
  readonly kinds: {
    /** The user’s match is called. */
    readonly match_called: boolean
    /** The user’s match starts within ten minutes. */
    readonly match_starting: boolean
    /** In a session of the user, another seat says that it is ready. */
    readonly opponent_ready: boolean
    /** A map may be accepted or contested, or a result was proposed at a match where the user decides. */
    readonly result_to_confirm: boolean
    /** The user is invited to a team. */
    readonly invitation: boolean
    /** The user is to work at a match or to stream, or that match starts within ten minutes. */
    readonly duty: boolean
    /** A sheet that the user has not answered closes within a day. */
    readonly sheet_closing: boolean
    /** The user’s registered team has fewer members than it needs. */
    readonly roster_problem: boolean
  }
  readonly quietHours: QuietHours | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface PushDevices {
  /** Public key of P-256 as base64url; it stays the same. */
  readonly applicationServerKey: string
  readonly devices: readonly PushDevice[]
}

/** Local times; hours that end before they begin go over midnight. */
export interface QuietHours {
  readonly from: string
  readonly to: string
  /** IANA name. */
  readonly timezone: string
}

export interface RequestedBadge {
  readonly name: string
  readonly description: string
  readonly kind: 'placement' | 'participation' | 'staff' | 'award' | 'special'
  /** null where the picture was deleted or taken down: another is needed before it is approved. */
  readonly mediaGuid: string | null
  /** null where the picture is there no longer, as may be in a request that is over. */
  readonly imageUrl: string | null
  readonly recipients: readonly {
    readonly user: UserCard
    readonly label: string | null
    readonly place: number | null
  }[]
}

/** Roles and permissions by where they hold. */
export interface RoleCatalogue {
  readonly global: readonly {
    readonly role: 'role:owner' | 'role:dev' | 'global:tournaments:manage' | 'global:users:read' | 'global:badges:manage' | 'global:notices:manage'
    readonly description: string
  }[]
  readonly tournament: readonly {
    readonly role: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee'
    readonly description: string
  }[]
}

export interface RunoffResult {
  /** Null where the rules of the edition withhold counts. */
  readonly votes: number | null
  /** Null where the rules of the edition withhold counts. */
  readonly share: number | null
}

export interface ScheduleProposal {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** In the order of their times. */
  readonly placements: readonly {
    /** GUID, in lower case in answers. */
    readonly matchGuid: string
    /** null for a match that is gone. */
    readonly number: number | null
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly startsAt: string
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly endsAt: string
    readonly stream: string
    /** By side; null for a team that is not known yet. */
    readonly teams: readonly ('available' | 'maybe' | 'would_rather_not' | null)[]
    readonly officials: readonly {
      readonly user: UserCard | null
      readonly role: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee'
      /** What was answered for that time. */
      readonly status: 'available' | 'maybe' | 'would_rather_not'
    }[]
    /** Why then and with them. */
    readonly reason: string
  }[]
  readonly unplaced: readonly {
    /** GUID, in lower case in answers. */
    readonly matchGuid: string
    /** null for a match that is gone. */
    readonly number: number | null
    /** What keeps it from any place. `people`: its players, or officials who stay, are in other matches at every time that suits its teams. */
    readonly code: 'window_too_short' | 'match_before' | 'order' | 'team_without_time' | 'no_common_time' | 'team_busy' | 'people' | 'streams' | 'officials' | 'taken'
    readonly reason: string
  }[]
  /** How much of it everybody carries. */
  readonly fairness: {
    readonly teams: readonly {
      /** GUID, in lower case in answers. */
      readonly teamGuid: string
      readonly matches: number
      readonly maybe: number
      readonly wouldRatherNot: number
    }[]
    readonly officials: readonly {
      /** GUID, in lower case in answers. */
      readonly userGuid: string
      readonly matches: number
      readonly maybe: number
      readonly wouldRatherNot: number
    }[]
  }
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly appliedAt: string | null
}

/** Which overlay a page shows, and where it is. */
export interface ShownOverlay {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly name: string
  readonly tournament: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly id: string
  }
}

export interface SignIn {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** `website`: the browser holds a cookie. `client`: a program exchanged a chat token for one of ours. */
  readonly kind: 'website' | 'client'
  /** What the browser or program called itself when it signed in. */
  readonly userAgent: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** When it was last used, to the hour. */
  readonly lastSeenAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly expiresAt: string
  /** Whether the token of this call came from it. */
  readonly current: boolean
}

/** What the server last said of the stream, every 15 seconds; null where it does not tell. */
export interface StreamHealth {
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
  readonly width: number | null
  readonly height: number | null
  readonly fps: number | null
  readonly videoKbps: number | null
  readonly audioKbps: number | null
  /** Who watches at its server. */
  readonly readers: number | null
}

/** A key of a user’s encoder. `expiresAt` is the end of a rotation’s grace, null for a key that goes on. */
export interface StreamKey {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly label: string
  /** What an encoder publishes with; null for applications and administrators. */
  readonly key: string | null
  /** The end of the key. */
  readonly lastFour: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** When it was last published with, to the minute. */
  readonly lastUsedAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly expiresAt: string | null
}

/** A media server that may ask whom it may let publish. */
export interface StreamServer {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly name: string
  readonly kind: 'mediamtx' | 'ovenmediaengine' | 'srs' | 'nginx-rtmp' | 'generic'
  /** Whether anybody may publish to it. */
  readonly enabled: boolean
  /** Whether whoever has no assignment in force may only test. */
  readonly assignmentRequired: boolean
  /** Where encoders send to. */
  readonly ingest: readonly {
    readonly protocol: 'rtmp' | 'rtmps' | 'srt' | 'whip' | 'rtsp'
    readonly url: string
  }[]
  /** Where streams are watched, with `{path}` for the path of the stream. */
  readonly play: {
    readonly whep: string | null
    readonly llhls: string | null
    readonly hls: string | null
  }
  readonly control: StreamServerControl | null
  /** Where the server may ask from; empty for anywhere. */
  readonly networks: readonly string[]
  /** Until when the secret before counts too, after a rotation with a grace. */
  readonly previousSecretUntil: string | null
  /** When it last asked whether somebody may publish or watch, to the minute. */
  readonly lastSeenAt: string | null
  /** Why its control interface was of no use the last time; null while it is, or was never asked. */
  readonly controlError: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

/** Where the server itself is asked and told. */
export interface StreamServerControl {
  readonly url: string
  readonly user: string | null
  /** `configured` where there is one. */
  readonly password: string | null
  readonly vhost: string | null
  readonly app: string | null
}

/** A stream that was published to a media server. */
export interface StreamSession {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly user: UserCard
  readonly server: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string
  }
  readonly protocol: 'rtmp' | 'rtmps' | 'srt' | 'whip' | 'rtsp'
  readonly path: string
  /** By which the stream was let in. */
  readonly assignment: string | null
  /** Let in without an assignment, for ten minutes, to try things out. */
  readonly test: boolean
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startedAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endedAt: string | null
  readonly endReason: 'done' | 'replaced' | 'key_revoked' | 'key_expired' | 'assignment_ended' | 'banned' | 'account_closed' | 'cut' | 'lost' | 'server_disabled' | null
  /** What has become of asking the server to end it. */
  readonly cut: 'requested' | 'confirmed' | 'failed' | null
  readonly health: StreamHealth | null
  /** Of the publisher, for 30 days; for owners and developers alone. */
  readonly address: string | null
}

/** What a user’s encoder must be told. */
export interface StreamSettings {
  /** GUID of the key that the fields are made of; null where the user has none. */
  readonly streamKey: string | null
  /** For each enabled server and each of its addresses, by server. */
  readonly encoders: readonly EncoderSettings[]
  readonly testAllowance: {
    /** For how long the user may still stream today, by the day of UTC, without an assignment. */
    readonly secondsLeft: number
  }
  /** Given as `view` to a server, lets the user watch their own tests. Good for a quarter of an hour. */
  readonly viewToken: string
}

/** Topics that can be followed in real time. */
export interface TopicPattern {
  /** The name of the topic, with `{name}` where it names a record. */
  readonly pattern: string
  /** `read`: it holds what a GET answers. `ephemeral`: values that are told as they come, and that nobody keeps. `document`: several people edit it, over sockets alone. */
  readonly kind: 'read' | 'ephemeral' | 'document'
  /** As `operationId` of the description, the read whose answer it holds; of an ephemeral topic, the read that decides who may follow it; null for a document. */
  readonly operation: string | null
  readonly summary: string
  /** Members of the query that may stand behind the name, and narrow what it holds. */
  readonly query: readonly {
    readonly name: string
    readonly description: string
  }[]
  /** What a token must hold; `public` needs none, and `ws:read` does for all. */
  readonly scope: 'public' | 'ws:read' | 'assistant'
  /** Who may follow it. */
  readonly who: string
  /** Classes of callers, within each of which everybody holds the same: `public` is whoever is in no other, in `own` everybody is alone. Empty for what is no read: all who may follow it are told the same. */
  readonly audiences: readonly string[]
  /** Types of events that everybody may be told of; the staff of the tournament are told of all. */
  readonly facts: readonly string[]
  /** Whether it can be followed as viewers of a stream that is behind see it, with `delayed`. */
  readonly delayed: boolean
}

/** A tournament, in short. */
export interface TournamentSummary {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly id: string
  readonly name: string
  readonly status: 'draft' | 'approved' | 'ongoing' | 'completed' | 'cancelled'
}

/** A user. All that is optional here is for the user themselves, asked as `@me`. */
export interface UserDetail {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly avatarUrl: string
  /** The record stands for a person from an organiser’s sheet who has not signed in yet. */
  readonly isPlaceholder: boolean
  /** Markdown. */
  readonly description: string
  /** First in the order that the user chose, then the newest first; at most 50. */
  readonly badges: readonly HeldBadge[]
  /** Newest first; at most the newest 200 of each kind. */
  readonly permissions: readonly Permission[]
  readonly preferredName?: string
  readonly pronouns?: string | null
  readonly headset?: string | null
  readonly grip?: string | null
  readonly controllers?: string | null
  /** ISO 3166-1 alpha-2 code, or `XK`. */
  readonly country?: string | null
  readonly rankingIdA?: string | null
  readonly rankingIdB?: string | null
  readonly streamingName?: string | null
  readonly email?: string | null
  readonly emailVerified?: boolean
  readonly isBot?: boolean
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly joinedAt?: string
  /** The newest 25. */
  readonly notifications?: readonly Notification[]
  readonly teamInvites?: readonly TeamInvitation[]
  /** The oldest first; `key` is for the user’s own tokens of the website alone. */
  readonly streamKeys?: readonly StreamKey[]
}

export interface UserStream {
  readonly live: boolean
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly since: string | null
  readonly path: string | null
  readonly play: StreamPlay
}

export interface UserWithTournaments {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly username: string
  /** Newest start first; at most 500. */
  readonly playerRoles: readonly {
    readonly role: 'role:player'
    /** On the field rather than a substitute. */
    readonly isActive: boolean
    readonly team: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly id: string
      readonly name: string
      readonly status: 'unregistered' | 'registered' | 'qualified'
    }
    readonly tournament: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly id: string
      readonly name: string
      readonly imageUrl: string | null
      readonly status: 'approved' | 'ongoing' | 'completed'
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly startsAt: string | null
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly endsAt: string | null
    }
  }[]
}

/** What lets a page read one overlay, and nothing else. */
export interface ViewToken {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly label: string
  /** The last characters of the token. */
  readonly lastFour: string
  /** Whether it also shows what is about to be taken on air. */
  readonly preview: boolean
  /** null for one that does not expire. */
  readonly expiresAt: string | null
  /** null for somebody who is gone. */
  readonly createdBy: UserCard | null
  /** The hour in which it was used last; null for one that was not used. */
  readonly lastUsedAt: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
}

/** What a reviewer decided on a request. */
export interface VisibilityDecision {
  readonly decision: 'approved' | 'rejected' | 'blocked'
  readonly reason: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly decidedAt: string
  readonly decidedBy: UserCard
}

/** Where a tournament wants to be seen, and what became of it. */
export interface VisibilityOverview {
  /** `all` covers platforms that are yet to come, too. */
  readonly scope: 'all' | 'selected'
  /** Every platform, the system platform first. */
  readonly platforms: readonly {
    readonly platform: PlatformSummary
    /** null where the tournament never asked. */
    readonly request: VisibilityRequest | null
    /** False when asking, or asking again, is of no use. */
    readonly canRequest: boolean
  }[]
  /** Platforms that are skipped, whatever is chosen. */
  readonly blocked: readonly string[]
}

/** A tournament’s request to be listed on a platform. */
export interface VisibilityRequest {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly status: 'pending' | 'approved' | 'rejected' | 'blocked' | 'withdrawn'
  /** What the reviewer said. */
  readonly reason: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly requestedAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly decidedAt: string | null
}

export interface VoterGroups {
  /** By the month in which their accounts were made. */
  readonly byJoining: readonly VotersOfMonth[]
  /** By the month in which the first of their links to ranking platforms was verified. */
  readonly byLinking: readonly VotersOfMonth[]
  readonly byTournamentsPlayed: readonly VotersOfPlayed[]
  /** Five or more whose accounts were made in the same hour, the largest groups first. */
  readonly sameHour: readonly VotersTogether[]
  /** Five or more whose accounts on the chat platform were made on the same day. Ranking platforms do not tell when theirs were. */
  readonly sameChatDay: readonly VotersTogether[]
}

export interface VotersOfMonth {
  /** In UTC; null for those without a verified link. */
  readonly month: string | null
  readonly voters: number
}

export interface VotersOfPlayed {
  readonly tournamentsPlayed: number
  readonly voters: number
}

export interface VotersTogether {
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
  readonly voters: number
  /** GUIDs of the first hundred of them. */
  readonly users: readonly string[]
}

export interface WholeOverlayTemplate {
  /** Of a built-in one. */
  readonly key: string | null
  /** Of one’s own, or of the overlay; null for a built-in one. */
  readonly guid: string | null
  readonly name: string
  readonly description: string
  /** Of a picture; null as long as there is none. */
  readonly previewUrl: string | null
  /** `tournament`: an overlay that is there. */
  readonly origin: 'built_in' | 'own' | 'tournament'
  /** In their order. Of an overlay those that its pages show: none as long as nothing was published. */
  readonly scenes: readonly {
    readonly name: string
    readonly role: 'start' | 'teamIntro' | 'pickBan' | 'gameplay' | 'summary' | 'break' | 'casters' | 'bracket' | 'schedule' | 'standings' | 'qualifier' | 'winners' | 'other' | null
  }[]
  readonly document: SceneDocument
}
