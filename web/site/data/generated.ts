// biome-ignore-all format: generated
/** What requests take and answer. Made of the records of the operations by `npm run generate`; do not edit. */
import type {
  AdditionalField,
  Agenda,
  AssistantLink,
  AssistantSession,
  AssistantSessions,
  AuditEntry,
  AvailabilityResponse,
  AvailabilityResponseInput,
  AvailabilitySheet,
  AvailabilityState,
  AvailabilitySubmission,
  AvailabilityTeam,
  AvailabilityWindow,
  AwardCategory,
  Awards,
  BracketOutlook,
  BracketWithMatches,
  ChannelList,
  ChannelQueue,
  ChatDelivery,
  Comment,
  Coordination,
  Correction,
  CorrectionEntry,
  DecidedProposal,
  DecidedTie,
  DivisionWithBrackets,
  FinishedSong,
  Flair,
  Flow,
  FlowCorrection,
  FlowPlan,
  FlowProblem,
  FlowRules,
  FlowSession,
  FlowState,
  FlowStep,
  FlowWarning,
  GameProposal,
  Horizon,
  Import,
  ListedTournament,
  ListedTournamentUpdate,
  LiveScore,
  Map,
  Match,
  MatchCall,
  MatchCard,
  MatchCorrection,
  NewTournamentUpdate,
  NominatedTeam,
  NominatedTournament,
  NominatedUser,
  Nominee,
  Notice,
  Notification,
  Overlay,
  OverlayControl,
  OverlayData,
  OverlayState,
  Pool,
  PoolMap,
  PublishedScenes,
  PublishedUpdate,
  Qualifier,
  QualifierAttempt,
  QualifierOutlook,
  QualifierStandings,
  RegistrationDeskEntry,
  RegistrationFailure,
  RegistrationState,
  Rehearsal,
  RehearsalClock,
  RehearsalFaults,
  RehearsalMessage,
  RenderedDescription,
  RenderedUpdate,
  ReviewedRequest,
  SceneDocument,
  StaffGroup,
  Standing,
  StreamAssignment,
  StreamPlay,
  Suggestion,
  Team,
  TeamAvailabilityResponse,
  TeamAvailabilityResponseInput,
  TeamAvailabilitySubmission,
  TeamInvitation,
  TeamReference,
  TimelineEvent,
  TournamentAccess,
  TournamentFinding,
  TournamentStream,
  TournamentWithParts,
  UpdateDelivery,
  UsedBefore,
  UserCard,
  Votes,
  WebhookAttempt,
  WebhookDelivery,
  WithdrawalCorrection,
} from '../../../client/generated.ts'

/** GETs, by their paths. */
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
    readonly query: {
      /** `html` answers the texts in Markdown rendered, too. */
      readonly include?: string
    }
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
    readonly query: {
      /** `html` answers the texts in Markdown rendered, too. */
      readonly include?: string
    }
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
      /** GUID of the user who did it. */
      readonly actor?: string
      /** GUID of the record that it happened to. */
      readonly subject?: string
      /** Comma list of the first words of types. */
      readonly kind?: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly from?: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly to?: string
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
  /** How far the public is behind, in a tournament whose `spoilerMode` is `held`: for its staff. */
  readonly '/tournaments/{tournament}/horizon': {
    readonly query: Record<never, never>
    readonly body: Horizon
  }
  /** The notices that are shown to the caller now: the most urgent first, then in the order in which they start. */
  readonly '/notices': {
    readonly query: {
      /** `html` answers the texts in Markdown rendered, too. */
      readonly include?: string
    }
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
  /** Whether the service is well: what is wrong and what to do, queues, storage, versions, limits. */
  readonly '/admin/health': {
    readonly query: Record<never, never>
    readonly body: ServiceHealth
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
  /** A delivery with the body that is sent. */
  readonly '/tournament-platforms/{platform}/deliveries/{delivery}': {
    readonly query: Record<never, never>
    readonly body: SentWebhookDelivery
  }
  /** The updates of the tournament, newest first. */
  readonly '/tournaments/{tournament}/updates': {
    readonly query: {
      /** `html` answers the texts in Markdown rendered, too. */
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
  /** The registered teams by the ranks of their players on a ranking platform, the best first. */
  readonly '/tournaments/{tournament}/teamRanks': {
    readonly query: {
      /** Whose ranks count. */
      readonly platform: 'ranking-a' | 'ranking-b'
    }
    readonly body: {
      readonly teams: readonly TeamRank[]
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
    readonly query: {
      /** Also those of tournaments that are not on the main listing; for the user alone. */
      readonly unlisted?: boolean
    }
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
    readonly query: {
      /** `html` answers the texts in Markdown rendered, too. */
      readonly include?: string
    }
    readonly body: Pool
  }
  /** A map pool of any tournament, as everybody sees it. */
  readonly '/resources/pooling/pools/{poolGuid}': {
    readonly query: {
      /** `html` answers the texts in Markdown rendered, too. */
      readonly include?: string
    }
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
      /** `oldest`: the first in time at the top, unless given; or the last, `newest`. */
      readonly order?: 'oldest' | 'newest'
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
  /** What a match was before it was corrected or opened again, and what it became by that; newest first. */
  readonly '/tournaments/{tournament}/matches/{match}/corrections': {
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
      /** As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are. */
      readonly delayed?: boolean
    }
    readonly body: {
      readonly corrections: readonly MatchCorrection[]
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
      /** GUID, in lower case in answers. */
      readonly team?: string
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
    readonly query: {
      /** `html` answers the texts in Markdown rendered, too. */
      readonly include?: string
    }
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
  /** What was, or is to be, sent to the tournament’s chat channels, newest first. */
  readonly '/tournaments/{tournament}/deliveries': {
    readonly query: {
      /** `failed` is what needs somebody; deliveries of all states unless given. */
      readonly state?: 'waiting' | 'delivered' | 'failed'
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly deliveries: readonly ChatDelivery[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
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
  /** The public keys of all packages that this service has ever signed, the newest first. */
  readonly '/.well-known/package-keys.json': {
    readonly query: Record<never, never>
    readonly body: {
      readonly keys: readonly {
        /** The thumbprint of the key. (RFC 7638) */
        readonly kid: string
        readonly kty: 'OKP'
        readonly crv: 'Ed25519'
        /** The public key, in base64url. */
        readonly x: string
        readonly use: 'sig'
        readonly status: 'current' | 'retired' | 'revoked'
        /** ISO 8601 instant; UTC with milliseconds in answers. */
        readonly revokedAt: string | null
      }[]
    }
  }
  /** Who took packages of the tournament, newest first. */
  readonly '/tournaments/{tournament}/packages': {
    readonly query: {
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly packages: readonly TournamentPackage[]
      /** The last 30 days that have any, newest first. */
      readonly downloads: readonly {
        /** In UTC. */
        readonly day: string
        /** How often the package was taken without a token. */
        readonly count: number
      }[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** The rehearsals of the tournament, oldest first. */
  readonly '/tournaments/{tournament}/rehearsals': {
    readonly query: Record<never, never>
    readonly body: {
      readonly rehearsals: readonly Rehearsal[]
    }
  }
  /** How a rehearsal was made, and when it ends. */
  readonly '/tournaments/{tournament}/rehearsals/{rehearsal}': {
    readonly query: Record<never, never>
    readonly body: Rehearsal
  }
  /** What the clock of a rehearsal shows, and how fast it runs. */
  readonly '/tournaments/{tournament}/rehearsals/{rehearsal}/clock': {
    readonly query: Record<never, never>
    readonly body: {
      readonly clock: RehearsalClock
    }
  }
  /** What would have left a rehearsal, oldest first. */
  readonly '/tournaments/{tournament}/rehearsals/{rehearsal}/outbox': {
    readonly query: {
      /** All kinds unless given. */
      readonly kind?: 'chat' | 'webhook' | 'mail' | 'notification' | 'push' | 'stream' | 'assistant' | 'lookup'
      /** All unless given. */
      readonly status?: 'sent' | 'failed' | 'waiting'
      /** Records on a page at most; a page of large ones may end early. */
      readonly limit?: number
      /** The `nextCursor` of the page before. */
      readonly before?: string
    }
    readonly body: {
      readonly messages: readonly RehearsalMessage[]
      /** Give it as `before` to get the next page; null on the last one. */
      readonly nextCursor: string | null
    }
  }
  /** What a rehearsal has otherwise than its tournament. */
  readonly '/tournaments/{tournament}/rehearsals/{rehearsal}/differences': {
    readonly query: Record<never, never>
    readonly body: {
      readonly differences: readonly RehearsalDifference[]
      /** The last change of anything in the tournament; `expectedUpdatedAt` when some of it is applied. */
      readonly updatedAt: string
    }
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

/** All other requests, by their methods and paths. */
export interface Writes {
  /** The user’s decision, from the page that `GET /oauth/authorize` shows. */
  readonly 'POST /oauth/authorize': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: string | null
  }
  /** Exchange a code, a refresh token or a device code for an access token. */
  readonly 'POST /oauth/token': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: TokenResponse | {
      readonly error: string
      readonly error_description: string
    }
  }
  /** End a token of one’s own: a refresh token with everything of its grant, an access token alone. */
  readonly 'POST /oauth/revoke': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: Readonly<Record<string, unknown>>
  }
  /** What a token is worth, for servers that accept tokens of this service. */
  readonly 'POST /oauth/introspect': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: Introspection
  }
  /** Begin the device grant: codes for the client to show and to ask with. */
  readonly 'POST /oauth/device_authorization': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: DeviceAuthorization
  }
  /** The user’s decision on a waiting device, from the page that `GET /device` shows. */
  readonly 'POST /device': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: string
  }
  /** Register an OAuth application. */
  readonly 'POST /oauth/applications': {
    readonly query: Record<never, never>
    readonly body: {
      /** Letters, digits and single spaces. Users see it when they are asked. */
      readonly name: string
      /** The `url` of own media, or an https address elsewhere; null for none. */
      readonly imageUrl?: string | null
      /** What the application may ask its users for. */
      readonly scopes: readonly ('rest:user:read' | 'rest:user:write' | 'rest:read' | 'rest:write' | 'ws:read' | 'ws:write' | 'assistant' | 'assistant:game' | 'compsystem')[]
      /** Where users are sent back to. Matched as text, port and query included, so each must be written as browsers write it. http only for localhost, 127.0.0.1, [::1] and hosts ending .local; no wildcard, fragment or user information. */
      readonly redirectUris: readonly string[]
      /** Whether it can keep a secret: a server can, what runs at its users cannot. */
      readonly type: 'confidential' | 'public'
    }
    readonly reply: RegisteredApplication
  }
  /** Change one of the caller’s own OAuth applications. */
  readonly 'PATCH /oauth/applications/{application}': {
    readonly query: Record<never, never>
    readonly body: {
      /** Letters, digits and single spaces. Users see it when they are asked. */
      readonly name?: string
      /** The `url` of own media, or an https address elsewhere; null for none. */
      readonly imageUrl?: string | null
      /** What the application may ask its users for. */
      readonly scopes?: readonly ('rest:user:read' | 'rest:user:write' | 'rest:read' | 'rest:write' | 'ws:read' | 'ws:write' | 'assistant' | 'assistant:game' | 'compsystem')[]
      /** Where users are sent back to. Matched as text, port and query included, so each must be written as browsers write it. http only for localhost, 127.0.0.1, [::1] and hosts ending .local; no wildcard, fragment or user information. */
      readonly redirectUris?: readonly string[]
      /** Whether it can keep a secret: a server can, what runs at its users cannot. */
      readonly type?: 'confidential' | 'public'
    }
    readonly reply: Application
  }
  /** Delete one of the caller’s own OAuth applications. */
  readonly 'DELETE /oauth/applications/{application}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Give a confidential application a new secret. */
  readonly 'POST /oauth/applications/{application}/secret': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: {
      /** GUID, in lower case in answers. */
      readonly clientId: string
      /** Shown this once: only its hash is kept. */
      readonly clientSecret: string
    }
  }
  /** Change the signed-in user’s own profile. */
  readonly 'POST /updateUserSettings': {
    readonly query: Record<never, never>
    readonly body: {
      /** Markdown. */
      readonly description?: string
      readonly pronouns?: string
      /** How the preferred name is spoken. */
      readonly pronunciation?: string
      readonly headset?: string
      readonly grip?: string
      readonly preferredName?: string
      readonly controllers?: string
      readonly avatarUrl?: string
    }
    readonly reply: {
      readonly msg: string
    }
  }
  /** Copy name and picture from the signed-in user’s chat account. */
  readonly 'PUT /updateUser': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: {
      readonly msg: string
    }
  }
  /** Link an account on a ranking or streaming platform, or prove that a linked one is the signed-in user’s. */
  readonly 'PUT /users/@me/identities/{identity}': {
    readonly query: Record<never, never>
    readonly body: {
      /** ID on the ranking platform, or name of the streaming account. */
      readonly externalId: string
      /** For `streaming` alone: a token of the chat platform. */
      readonly proof?: string
    }
    readonly reply: Identity
  }
  /** Remove the link to an account, or the claim to one. */
  readonly 'DELETE /users/@me/identities/{identity}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Change an account. */
  readonly 'PATCH /admin/users/{user}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly username?: string
      readonly description?: string
      readonly preferredName?: string
      readonly avatarUrl?: string
      readonly pronouns?: string | null
      readonly pronunciation?: string | null
      readonly headset?: string | null
      readonly grip?: string | null
      readonly controllers?: string | null
      readonly country?: string | null
      readonly streamingName?: string | null
      readonly rankingIdA?: string | null
      readonly rankingIdB?: string | null
      readonly email?: string | null
      readonly emailVerified?: boolean
      readonly isBot?: boolean
      readonly roles?: readonly ('role:owner' | 'role:dev' | 'global:tournaments:manage' | 'global:users:read' | 'global:badges:manage' | 'global:notices:manage')[]
      readonly banned?: boolean
      readonly banReason?: string | null
    }
    readonly reply: Account
  }
  /** An access token for the website itself. */
  readonly 'POST /auth/token': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: WebsiteToken
  }
  /** Sign out on the website; revokes the tokens that it was given. */
  readonly 'POST /auth/sign-out': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** End a sign-in, or what was granted to an application, with all its tokens. */
  readonly 'DELETE /users/@me/sessions/{session}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Give another e-mail address; a link is sent there. */
  readonly 'PUT /users/@me/email': {
    readonly query: Record<never, never>
    readonly body: {
      readonly email: string
    }
    readonly reply: EmailRequest
  }
  /** Verify the address that a link was sent to. */
  readonly 'POST /email-verifications/{token}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: {
      readonly msg: string
    }
  }
  /** What the button of that page does. */
  readonly 'POST /email-verifications/{token}/confirm': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: string
  }
  /** Give a user a role in the tournament. */
  readonly 'POST /tournaments/{tournament}/permissions/{user}/grant': {
    readonly query: Record<never, never>
    readonly body: {
      /** A role in a tournament. */
      readonly role: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee'
    }
    readonly reply: {
      readonly success: string
    }
  }
  /** Take a role in the tournament from a user. */
  readonly 'DELETE /tournaments/{tournament}/permissions/{user}/revoke': {
    readonly query: Record<never, never>
    readonly body: {
      /** A role in a tournament. */
      readonly role: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee'
    }
    readonly reply: {
      readonly success: string
    }
  }
  /** Mark some or all of the signed-in user’s notifications as read. */
  readonly 'POST /users/@me/notifications/read': {
    readonly query: Record<never, never>
    readonly body: {
      readonly guids?: readonly string[]
      /** Instead of `guids`. */
      readonly all?: true
    }
    readonly reply: {
      readonly read: number
    }
  }
  /** Change the public record; what is not given stays. */
  readonly 'PUT /tournament-platforms/{platform}': {
    readonly query: Record<never, never>
    readonly body: PlatformChanges
    readonly reply: Platform
  }
  /** Change webhooks and subscribed events; what is not given stays. */
  readonly 'PUT /tournament-platforms/{platform}/settings': {
    readonly query: Record<never, never>
    readonly body: PlatformSettingsChanges
    readonly reply: PlatformSettings
  }
  /** Add a member to the review team, or change the role of one. */
  readonly 'POST /tournament-platforms/{platform}/members': {
    readonly query: Record<never, never>
    readonly body: PlatformMemberChange
    readonly reply: PlatformMember
  }
  /** Remove a member from the review team. */
  readonly 'DELETE /tournament-platforms/{platform}/members/{user}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Make a draft, and be its organiser. */
  readonly 'POST /tournaments': {
    readonly query: Record<never, never>
    readonly body: NewTournament
    readonly reply: Tournament
  }
  /** Change settings; what is not given stays. */
  readonly 'PATCH /tournaments/{tournament}': {
    readonly query: Record<never, never>
    readonly body: TournamentChanges
    readonly reply: Tournament
  }
  /** Delete a draft. Any other tournament can only be cancelled. */
  readonly 'DELETE /tournaments/{tournament}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Hand the tournament over to another organiser. */
  readonly 'POST /tournaments/{tournament}/organiser': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUID, chat-platform ID or linked ranking ID of the new organiser. */
      readonly userIdentifier: string
    }
    readonly reply: Tournament
  }
  /** Replace the timeline of the tournament as a whole. */
  readonly 'PUT /tournaments/{tournament}/timelineEvents': {
    readonly query: Record<never, never>
    readonly body: {
      readonly timelineEvents: readonly {
        /** GUID, in lower case in answers. */
        readonly guid?: string
        readonly title: string
        /** Plain text. */
        readonly description?: string | null
        /** Name of an icon: lower-case letters, digits, hyphens and underscores. */
        readonly icon: string
        /** ISO 8601 instant; UTC with milliseconds in answers. */
        readonly startTime: string
        /** ISO 8601 instant; UTC with milliseconds in answers. */
        readonly endTime?: string | null
      }[]
    }
    readonly reply: {
      readonly success: string
      readonly events: readonly TimelineEvent[]
      readonly deleted: number
    }
  }
  /** Show everybody a match until its end, or everything until now. */
  readonly 'POST /tournaments/{tournament}/reveal': {
    readonly query: {
      /** Only answers what would be shown. */
      readonly dryRun?: boolean
    }
    readonly body: Reveal
    readonly reply: Revealed
  }
  /** What a text would look like as a notice. */
  readonly 'POST /notices/preview': {
    readonly query: Record<never, never>
    readonly body: {
      /** Markdown. */
      readonly content: string
    }
    readonly reply: {
      readonly html: string
    }
  }
  /** Show a notice on the site. */
  readonly 'POST /notices': {
    readonly query: Record<never, never>
    readonly body: {
      readonly title: string
      /** Markdown. */
      readonly content: string
      readonly level?: 'info' | 'warning' | 'critical'
      readonly link?: string | null
      /** Unset: now. */
      readonly startsAt?: string | null
      /** Unset: until it is changed or deleted. */
      readonly endsAt?: string | null
      readonly dismissible?: boolean
      readonly audience?: 'everyone' | 'signed-in' | 'staff'
    }
    readonly reply: ManagedNotice
  }
  /** Change a notice; what is not given stays. */
  readonly 'PATCH /notices/{notice}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly title?: string
      /** Markdown. */
      readonly content?: string
      readonly level?: 'info' | 'warning' | 'critical'
      readonly link?: string | null
      /** Unset: now. */
      readonly startsAt?: string | null
      /** Unset: until it is changed or deleted. */
      readonly endsAt?: string | null
      readonly dismissible?: boolean
      readonly audience?: 'everyone' | 'signed-in' | 'staff'
    }
    readonly reply: ManagedNotice
  }
  /** Delete a notice for good. */
  readonly 'DELETE /notices/{notice}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Choose the platforms that the tournament asks to be listed on. */
  readonly 'PUT /tournaments/{tournament}/visibility': {
    readonly query: Record<never, never>
    readonly body: {
      readonly scope: 'all' | 'selected'
      /** For the scope `selected`; others ignore it. */
      readonly platformGuids?: readonly string[]
    }
    readonly reply: VisibilityOverview
  }
  /** Ask for the tournament to be approved and stand on the main listing. */
  readonly 'POST /tournaments/{tournament}/visibility/request': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: {
      readonly request: VisibilityRequest
      /** False when asking again is of no use. */
      readonly canRequest: boolean
    }
  }
  /** Decide on a request, or decide anew. */
  readonly 'POST /tournament-platforms/{platform}/requests/{visibilityRequest}/review': {
    readonly query: Record<never, never>
    readonly body: {
      readonly decision: 'approved' | 'rejected' | 'blocked'
      /** Required unless the decision is `approved`; the organiser reads it, but for that of a block. */
      readonly reason?: string
      /** The `decidedAt` that was read: where somebody has decided since, the answer is 409. Without it, the last decision counts. */
      readonly expectedDecidedAt?: string | null
    }
    readonly reply: {
      readonly request: ReviewedRequest
    }
  }
  /** Approve the tournament for the main listing. */
  readonly 'POST /tournaments/{tournament}/visibility/approve': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: {
      readonly request: VisibilityRequest
    }
  }
  /** Reject the tournament for the main listing, or take an approval back. */
  readonly 'POST /tournaments/{tournament}/visibility/reject': {
    readonly query: Record<never, never>
    readonly body: {
      /** Required; the organiser reads it. */
      readonly reason?: string
    }
    readonly reply: {
      readonly request: VisibilityRequest
    }
  }
  /** Add a platform that tournaments can ask to be listed on. */
  readonly 'POST /admin/tournament-platforms': {
    readonly query: Record<never, never>
    readonly body: NewPlatform
    readonly reply: Platform
  }
  /** Delete a platform with its members, settings, requests and public list, for good. */
  readonly 'DELETE /admin/tournament-platforms/{platform}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Send a sample of an event to the webhooks that are set up. */
  readonly 'POST /tournament-platforms/{platform}/webhooks/test': {
    readonly query: Record<never, never>
    readonly body: {
      /** One of visibility_requested, visibility_approved, visibility_rejected, visibility_blocked, visibility_withdrawn, member_added, member_removed. */
      readonly event: string
    }
    readonly reply: {
      /** null where no chat webhook is set up. */
      readonly chat: WebhookTestResult | null
      /** null where no custom webhook is set up. */
      readonly custom: WebhookTestResult | null
    }
  }
  /** Send a delivery again. */
  readonly 'POST /tournament-platforms/{platform}/deliveries/{delivery}/replay': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: WebhookDelivery
  }
  /** Send all finished deliveries of what happened since an instant again, in their order. */
  readonly 'POST /tournament-platforms/{platform}/deliveries/replay': {
    readonly query: {
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly since: string
      /** Only tell how many would be sent again. */
      readonly dryRun?: boolean
    }
    readonly body: undefined
    readonly reply: {
      /** How many are sent again. */
      readonly replayed: number
      /** Give it as `since` to send the rest; null when there is none. */
      readonly nextSince: string | null
    }
  }
  /** Publish an update, and send it to the chat. */
  readonly 'POST /tournaments/{tournament}/updates': {
    readonly query: Record<never, never>
    readonly body: NewTournamentUpdate
    readonly reply: PublishedUpdate
  }
  /** What an update would look like on a page and in the chat. */
  readonly 'POST /tournaments/{tournament}/updates/preview': {
    readonly query: Record<never, never>
    readonly body: UpdateToPreview
    readonly reply: UpdatePreview
  }
  /** Edit an update, its change cards and its chat announcement. */
  readonly 'PATCH /tournaments/{tournament}/updates/{update}': {
    readonly query: Record<never, never>
    readonly body: TournamentUpdateEdit
    readonly reply: PublishedUpdate
  }
  /** Delete an update, and remove its chat announcement. */
  readonly 'DELETE /tournaments/{tournament}/updates/{update}': {
    readonly query: Record<never, never>
    readonly body: {
      /** The `updatedAt` that the caller has seen; null before the first edit. */
      readonly expectedUpdatedAt: string | null
    }
    readonly reply: UpdateDelivery
  }
  /** Take up a chat delivery that failed or was interrupted. */
  readonly 'POST /tournaments/{tournament}/updates/{update}/chat': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: UpdateDelivery
  }
  /** Make a link by which the person whom a placeholder stands for takes over its places. */
  readonly 'POST /users/{placeholder}/claimLinks': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUID of the tournament whose import made the placeholder. */
      readonly tournament: string
    }
    readonly reply: MadeClaimLink
  }
  /** Revoke a link, so that nobody can use it any more. */
  readonly 'DELETE /users/{placeholder}/claimLinks/{claimLink}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Become the person of a link: the placeholder’s teams, answers, results and places are the caller’s. */
  readonly 'POST /claims/{claimToken}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: Claim
  }
  /** Take a claim back: the places are the placeholder’s again. */
  readonly 'POST /claims/{userClaim}/undo': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: Claim
  }
  /** Take the place that an imported tournament keeps for the caller’s chat account. */
  readonly 'POST /users/{awaitedPlaceholder}/claim': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: Claim
  }
  /** Make a team, with its captain as first member. */
  readonly 'POST /tournaments/{tournament}/teams': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUID or chat-platform ID of the captain. */
      readonly captainId: string
      readonly teamName?: string
      readonly teamId?: string
      /** How the name is spoken. */
      readonly pronunciation?: string
    }
    readonly reply: {
      readonly success: string
      readonly newTeam: Team
    }
  }
  /** Delete a team with its members, invitations and registration, for good. */
  readonly 'DELETE /tournaments/{tournament}/teams': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUID of the team. */
      readonly teamGuid: string
    }
    readonly reply: {
      readonly success: string
    }
  }
  /** Change a team’s name, id, looks or captain. */
  readonly 'PATCH /tournaments/{tournament}/teams/{team}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name?: string
      readonly id?: string
      /** How the name is spoken; null or an empty text removes it. */
      readonly pronunciation?: string | null
      /** null or an empty text removes it. */
      readonly imageUrl?: string | null
      /** `#rrggbb`; null or an empty text removes it. */
      readonly color?: string | null
      /** Any identifier of a member, who becomes captain. */
      readonly captain?: string
    }
    readonly reply: Team
  }
  /** Invite a user into a team. */
  readonly 'POST /tournaments/{tournament}/teams/{team}/invitations': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUID, chat-platform ID or ranking-platform ID. */
      readonly userIdentifier: string
      /** Plain text. */
      readonly message?: string
    }
    readonly reply: TeamInvitation
  }
  /** Take an invitation back, as captain of the team or organiser. */
  readonly 'DELETE /invitations/{invitation}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Join the team that invites the signed-in user. */
  readonly 'POST /invitations/{invitation}/accept': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: TeamInvitation
  }
  /** Turn down an invitation. */
  readonly 'POST /invitations/{invitation}/decline': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: TeamInvitation
  }
  /** Put a member on the field, or make them a substitute. */
  readonly 'PATCH /tournaments/{tournament}/teams/{team}/members/{member}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly isActive: boolean
    }
    readonly reply: Team
  }
  /** Leave a team, or take a member out of it. */
  readonly 'DELETE /tournaments/{tournament}/teams/{team}/members/{member}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Upload a picture, a video or a font. */
  readonly 'POST /media': {
    readonly query: {
      /** What it is for. */
      readonly kind?: 'avatar' | 'app_image' | 'team_image' | 'platform_image' | 'tournament_image' | 'tournament_banner' | 'update_image' | 'badge_image' | 'award_image' | 'overlay_image' | 'overlay_video' | 'overlay_font'
      /** GUID or short id, for kinds that belong to one. */
      readonly tournament?: string
      /** GUID, or short id in the tournament that is named; for `team_image`. */
      readonly team?: string
      /** Context id; for `platform_image`. */
      readonly platform?: string
      /** Cut to 120 characters; the file’s unless given. */
      readonly name?: string
      /** Videos and fonts need it: that you may use them, and have others see them here. */
      readonly rightsConfirmed?: boolean
    }
    readonly body: {
      /** What it is for. */
      readonly kind?: 'avatar' | 'app_image' | 'team_image' | 'platform_image' | 'tournament_image' | 'tournament_banner' | 'update_image' | 'badge_image' | 'award_image' | 'overlay_image' | 'overlay_video' | 'overlay_font'
      /** GUID or short id, for kinds that belong to one. */
      readonly tournament?: string
      /** GUID, or short id in the tournament that is named; for `team_image`. */
      readonly team?: string
      /** Context id; for `platform_image`. */
      readonly platform?: string
      /** Cut to 120 characters; the file’s unless given. */
      readonly name?: string
      /** Videos and fonts need it: that you may use them, and have others see them here. */
      readonly rightsConfirmed?: boolean
    }
    readonly reply: Media
  }
  /** Upload a picture of oneself, and set it, in one step. */
  readonly 'PUT /users/@me/avatar': {
    readonly query: Record<never, never>
    readonly body: {
      /** Cut to 120 characters; the file’s unless given. */
      readonly name?: string
    }
    readonly reply: {
      readonly msg: string
      readonly media: Media
    }
  }
  /** Show the picture of one’s chat account again. */
  readonly 'DELETE /users/@me/avatar': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: {
      readonly msg: string
    }
  }
  /** Give a medium another name. */
  readonly 'PATCH /media/{media}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name: string
    }
    readonly reply: Media
  }
  /** Delete a medium, and end its delivery. */
  readonly 'DELETE /media/{media}': {
    readonly query: {
      /** Unset the fields that use it first. */
      readonly detach?: boolean
    }
    readonly body: undefined
    readonly reply: null
  }
  /** Take a medium down for good. */
  readonly 'POST /admin/media/{media}/takedown': {
    readonly query: Record<never, never>
    readonly body: {
      readonly reason: string
    }
    readonly reply: null
  }
  /** Make a map pool, as a draft that poolers alone see. */
  readonly 'POST /tournaments/{tournament}/pools': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name: string
      /** Markdown. */
      readonly description?: string | null
      /** One `qualifier` pool that is not archived per tournament. */
      readonly kind?: 'match' | 'qualifier'
      /** Its place in the list, from 0. */
      readonly order?: number
      /** How many maps of which flair it is to have. */
      readonly slots?: readonly {
        /** GUID, in lower case in answers. */
        readonly flairGuid: string
        readonly count: number
      }[]
      readonly playlist?: {
        readonly title?: string | null
        readonly author?: string | null
        readonly description?: string | null
      }
      /** A data URI with a PNG or JPEG: square, 64 to 1024 pixels, at most 256 KiB; null for the picture that is made from the name. */
      readonly cover?: string | null
      /** Who reads it early. */
      readonly previewRoles?: readonly ('role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee')[]
    }
    readonly reply: Pool
  }
  /** Change the settings of a pool; what is not given stays. */
  readonly 'PATCH /tournaments/{tournament}/pools/{pool}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name?: string
      /** Markdown. */
      readonly description?: string | null
      /** One `qualifier` pool that is not archived per tournament. */
      readonly kind?: 'match' | 'qualifier'
      /** Its place in the list, from 0. */
      readonly order?: number
      /** How many maps of which flair it is to have. */
      readonly slots?: readonly {
        /** GUID, in lower case in answers. */
        readonly flairGuid: string
        readonly count: number
      }[]
      readonly playlist?: {
        readonly title?: string | null
        readonly author?: string | null
        readonly description?: string | null
      }
      /** A data URI with a PNG or JPEG: square, 64 to 1024 pixels, at most 256 KiB; null for the picture that is made from the name. */
      readonly cover?: string | null
      /** Who reads it early. */
      readonly previewRoles?: readonly ('role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee')[]
      /** As it was read; a change since then is 409. */
      readonly draftRevision?: number
    }
    readonly reply: Pool
  }
  /** Delete a pool that was never published. */
  readonly 'DELETE /tournaments/{tournament}/pools/{pool}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Publish a pool now, or say when. */
  readonly 'POST /tournaments/{tournament}/pools/{pool}/publish': {
    readonly query: Record<never, never>
    readonly body: {
      /** When it is published; left out: now; null: it is not any more. */
      readonly publishAt?: string | null
      /** In spite of everything that it lacks but maps. */
      readonly force?: boolean
    } | undefined
    readonly reply: Pool
  }
  /** Make a published pool a draft again, as long as no match was begun with it. */
  readonly 'POST /tournaments/{tournament}/pools/{pool}/unpublish': {
    readonly query: Record<never, never>
    readonly body: {
      readonly reason: string
    }
    readonly reply: Pool
  }
  /** Archive a published pool: it is read as before, and changed no more. */
  readonly 'POST /tournaments/{tournament}/pools/{pool}/archive': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: Pool
  }
  /** Take a pool out of the archive. */
  readonly 'POST /tournaments/{tournament}/pools/{pool}/unarchive': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: Pool
  }
  /** An address from which poolers load the playlist of a draft in the game. */
  readonly 'PUT /tournaments/{tournament}/pools/{pool}/preview-key': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: {
      /** Of the draft’s playlist. It is told this once. */
      readonly url: string
    }
  }
  /** End the address from which the playlist of a draft is loaded. */
  readonly 'DELETE /tournaments/{tournament}/pools/{pool}/preview-key': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Add a map to a pool, behind the others. */
  readonly 'POST /tournaments/{tournament}/pools/{pool}/maps': {
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
    readonly reply: PoolMap
  }
  /** Change what is set of a map in a pool; what is not given stays. */
  readonly 'PATCH /tournaments/{tournament}/pools/{pool}/maps/{poolMap}': {
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
    readonly reply: PoolMap
  }
  /** Take a map out of a pool. */
  readonly 'DELETE /tournaments/{tournament}/pools/{pool}/maps/{poolMap}': {
    readonly query: Record<never, never>
    readonly body: {
      /** Needed once the pool is published: everybody reads it among the changes. */
      readonly reason?: string | null
    } | undefined
    readonly reply: null
  }
  /** Put another map in the place of one, with its flair, flags and options. */
  readonly 'POST /tournaments/{tournament}/pools/{pool}/maps/{poolMap}/replace': {
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
    readonly reply: PoolMap
  }
  /** Compare the maps of a pool with what the catalogue publishes now. */
  readonly 'POST /tournaments/{tournament}/pools/{pool}/maps/check': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: Pool
  }
  /** Put the maps of a pool into another order. */
  readonly 'PUT /tournaments/{tournament}/pools/{pool}/order': {
    readonly query: Record<never, never>
    readonly body: {
      /** As it was read; a change since then is 409. */
      readonly draftRevision: number
      /** Every map of the pool once. */
      readonly maps: readonly string[]
      /** Needed once the pool is published: everybody reads it among the changes. */
      readonly reason?: string | null
    }
    readonly reply: Pool
  }
  /** Replace the flairs of a tournament as a whole. */
  readonly 'PUT /tournaments/{tournament}/flairs': {
    readonly query: Record<never, never>
    readonly body: {
      readonly flairs: readonly {
        /** GUID, in lower case in answers. */
        readonly guid?: string
        readonly name: string
        readonly color: string
        /** Name of an icon. */
        readonly icon?: string | null
      }[]
      /** What maps carry in place of a flair that is left out. */
      readonly replaceWith?: readonly {
        /** GUID, in lower case in answers. */
        readonly from: string
        /** GUID, in lower case in answers. */
        readonly to: string
      }[]
      /** Why published pools are corrected by it; for everybody. */
      readonly reason?: string | null
    }
    readonly reply: readonly Flair[]
  }
  /** Change how maps are suggested and voted on. */
  readonly 'PATCH /tournaments/{tournament}/pooling': {
    readonly query: Record<never, never>
    readonly body: {
      readonly openSuggestions?: boolean
      readonly hideVotes?: boolean
    }
    readonly reply: PoolingSettings
  }
  /** Make a division, a part of the tournament with brackets and match numbers of its own. */
  readonly 'POST /tournaments/{tournament}/divisions': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name: string
      /** Short id. */
      readonly id?: string
      /** Divisions are listed by it. */
      readonly order?: number
    }
    readonly reply: Division
  }
  /** Change a division’s name, id or place in the list. */
  readonly 'PATCH /tournaments/{tournament}/divisions/{division}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name?: string
      /** Short id. */
      readonly id?: string
      /** Divisions are listed by it. */
      readonly order?: number
    }
    readonly reply: Division
  }
  /** Delete a division with its brackets, none of which was played. */
  readonly 'DELETE /tournaments/{tournament}/divisions/{division}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Make a bracket with its matches. */
  readonly 'POST /tournaments/{tournament}/divisions/{division}/brackets': {
    readonly query: {
      /** Only answers what would be made, and stores nothing. */
      readonly dryRun?: boolean
    }
    readonly body: NewBracket
    readonly reply: NewBracketWithMatches
  }
  /** Change a bracket’s name, its place in the list, or the length of its rounds. */
  readonly 'PATCH /tournaments/{tournament}/brackets/{bracket}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name?: string
      /** Brackets of a division are listed by it. */
      readonly order?: number
      /** Games at most, by `section:round`; odd. */
      readonly bestOfByRound?: Readonly<Record<string, number>>
    }
    readonly reply: BracketWithMatches
  }
  /** Make the matches of a bracket anew. */
  readonly 'POST /tournaments/{tournament}/brackets/{bracket}/generate': {
    readonly query: {
      /** Only answers what would be made, and stores nothing. */
      readonly dryRun?: boolean
    }
    readonly body: {
      readonly name?: string
      readonly format?: 'single_elimination' | 'double_elimination' | 'round_robin' | 'swiss'
      /** What the format does not read, and what is not known, is refused. */
      readonly settings?: {
        /** Games at most; odd, 3 unless given. */
        readonly bestOf?: number
        /** Games at most, by `section:round`; odd. */
        readonly bestOfByRound?: Readonly<Record<string, number>>
        readonly seedOrdering?: 'standard' | 'natural' | 'manual'
        /** Single elimination: a match for the third place. */
        readonly thirdPlace?: boolean
        /** Double elimination; `reset` unless given. */
        readonly grandFinal?: 'none' | 'single' | 'reset'
        /** Round robin. */
        readonly groups?: number
        /** Round robin: 1 or 2. */
        readonly legs?: number
        /** Round robin: how seeds fill the groups. */
        readonly distribution?: 'snake' | 'sequential'
        /** Round robin and Swiss; 3, 1 and 0. */
        readonly points?: {
          readonly win: number
          readonly draw: number
          readonly loss: number
        }
        /** Round robin and Swiss. */
        readonly allowDraws?: boolean
        /** Swiss; as many as it takes for one winner, unless given. */
        readonly rounds?: number
        /** Swiss; as many as for a win, unless given. */
        readonly byePoints?: number
        /** Swiss; true unless given. */
        readonly avoidRematches?: boolean
        /** In the order in which they are asked. */
        readonly tieBreakers?: readonly ('points' | 'head_to_head' | 'game_difference' | 'games_won' | 'buchholz' | 'median_buchholz' | 'sonneborn_berger' | 'score_total' | 'seed')[]
      }
      /** Brackets of a division are listed by it. */
      readonly order?: number
      readonly entrants: {
        /** Registered teams are those that are registered or qualified; they enter by seed, then by when they registered. */
        readonly source: 'registered' | 'qualified' | 'manual' | 'bracket'
        /** For `manual`: the teams, the best first. */
        readonly teamGuids?: readonly string[]
        /** For `bracket`: the completed bracket whose places enter. In eliminations, teams of one group meet as late as the tree allows. */
        readonly from?: {
          /** GUID, in lower case in answers. */
          readonly bracketGuid: string
          /** In the order in which they enter; of several groups each gives its team of that place. */
          readonly places: readonly number[]
          /** After `tie.undecided`: all of the tied teams, the best first. */
          readonly order?: readonly string[]
          /** Why the teams are ordered so; it stands in the log. */
          readonly reason?: string
          /** Draws the order of the tied teams by the seed to which `tie.undecided` has committed. The same tie is always drawn alike. A dry run draws nothing, and leaves these places empty. */
          readonly draw?: boolean
        }
        /** At most so many of them; with `manual`, places beyond the teams stay empty. */
        readonly size?: number
      }
      /** Also when matches were played; their results are lost. */
      readonly force?: boolean
    }
    readonly reply: NewBracketWithMatches
  }
  /** Put teams into places of a bracket, or let them change places, before play. */
  readonly 'PUT /tournaments/{tournament}/brackets/{bracket}/entrants': {
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
    readonly reply: BracketWithMatches
  }
  /** Pair the next round of a Swiss bracket. */
  readonly 'POST /tournaments/{tournament}/brackets/{bracket}/rounds': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: BracketWithMatches
  }
  /** Delete a bracket with its matches. */
  readonly 'DELETE /tournaments/{tournament}/brackets/{bracket}': {
    readonly query: {
      /** Also when matches were played; their results are lost. */
      readonly force?: boolean
      /** Only answers what would be lost, and deletes nothing. */
      readonly dryRun?: boolean
    }
    readonly body: {
      /** Also when matches were played; their results are lost. */
      readonly force?: boolean
    } | undefined
    readonly reply: BracketLosses | null
  }
  /** Start, complete, cancel or resume the tournament. */
  readonly 'POST /tournaments/{tournament}/status': {
    readonly query: Record<never, never>
    readonly body: {
      readonly status: 'draft' | 'approved' | 'ongoing' | 'completed' | 'cancelled'
      /** For the audit list; everybody reads that of a cancellation. */
      readonly reason?: string | null
    }
    readonly reply: Tournament
  }
  /** Register a team, which takes a place in the tournament. */
  readonly 'POST /tournaments/{tournament}/register/{team}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly additionalFields?: readonly {
        /** GUID of the field. */
        readonly fieldGuid: string
        /** GUID of the member whose answer it is, for fields that every player answers. */
        readonly userGuid?: string | null
        /** By the field’s type: a text; a number; one of the options; `true` or `false` as text; a map. An empty text takes an earlier answer back. */
        readonly response: string | number | {
          readonly hash: string
          readonly difficulty: string
          readonly characteristic: string
        }
      }[]
      /** From organisers: why the tournament’s requirements are waived for members who have not signed in yet. Stands in the audit. */
      readonly waiver?: string
    } | undefined
    readonly reply: {
      readonly message: string
      readonly newTeam: Team
    }
  }
  /** Give a team’s place back. */
  readonly 'POST /tournaments/{tournament}/unregister/{team}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: {
      readonly message: string
      readonly newTeam: Team
    }
  }
  /** Advance a registered team to the main bracket, or change its seed. */
  readonly 'POST /tournaments/{tournament}/qualify/{team}': {
    readonly query: Record<never, never>
    readonly body: {
      /** Belongs to one team at a time. null takes it away; left out, it stays as it is. */
      readonly seed?: number | null
    } | undefined
    readonly reply: {
      readonly message: string
      readonly newTeam: Team
    }
  }
  /** Take a team out of the main bracket; it stays registered. */
  readonly 'POST /tournaments/{tournament}/disqualify/{team}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: {
      readonly message: string
      readonly newTeam: Team
    }
  }
  /** Note something about a team’s registration, for the staff of the tournament. */
  readonly 'PUT /tournaments/{tournament}/registrations/{team}/note': {
    readonly query: Record<never, never>
    readonly body: {
      readonly note: string | null
    }
    readonly reply: RegistrationNote
  }
  /** Send the captains of teams a message, as a notification. */
  readonly 'POST /tournaments/{tournament}/registrations/messages': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUIDs of the teams. */
      readonly teams: readonly string[]
      /** Plain text. */
      readonly text: string
    }
    readonly reply: {
      /** Teams whose captain gets the message. */
      readonly sent: number
      /** GUIDs of the other teams. */
      readonly unreached: readonly string[]
    }
  }
  /** Enter the teams of a sheet of sign-ups, also of people who have never signed in. */
  readonly 'POST /tournaments/{tournament}/teams/import': {
    readonly query: Record<never, never>
    readonly body: {
      /** The sheet, where it is not sent as a file. */
      readonly rows?: readonly {
        /** The organiser’s own ID of the team, by which a later import finds it again. */
        readonly externalId?: string | null
        readonly teamName: string
        /** Short id of a new team; made of its name where it is left out. */
        readonly teamId?: string | null
        readonly seed?: number | null
        /** Whether the team is registered, too. */
        readonly register?: boolean
        /** Why requirements are waived for members who have not signed in yet. */
        readonly waiver?: string | null
        /** An ID, a name, or an object with several of them. A text of 15 to 20 digits is an ID of the chat platform or, if it begins like those of the game shop, of ranking platform A. */
        readonly captain: string | {
          /** ID of an account on the chat platform. */
          readonly chatPlatformId?: string | null
          /** ID of an account on ranking platform A. */
          readonly rankingIdA?: string | null
          /** ID of an account on ranking platform B. */
          readonly rankingIdB?: string | null
          /** What a placeholder is called. */
          readonly name?: string | null
        }
        /** The others. */
        readonly members?: readonly (string | {
          /** ID of an account on the chat platform. */
          readonly chatPlatformId?: string | null
          /** ID of an account on ranking platform A. */
          readonly rankingIdA?: string | null
          /** ID of an account on ranking platform B. */
          readonly rankingIdB?: string | null
          /** What a placeholder is called. */
          readonly name?: string | null
        })[]
        /** The team’s answers to additional fields, by their label or GUID. */
        readonly answers?: Readonly<Record<string, unknown>>
      }[]
      /** Only tells what would be done. */
      readonly dryRun?: boolean
    }
    readonly reply: TeamImport
  }
  /** Change a match’s time, length, officials, addresses or notes; what is not given stays. */
  readonly 'PATCH /tournaments/{tournament}/matches/{match}': {
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
    readonly reply: Match
  }
  /** Call the teams of a match to play it. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/call': {
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: MatchCall
    readonly reply: Match
  }
  /** Begin a match whose teams are both known. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/start': {
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: undefined
    readonly reply: Match
  }
  /** Tell the result of a map; the one that decides completes the match. */
  readonly 'PUT /tournaments/{tournament}/matches/{match}/games/{number}': {
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
    readonly reply: Match
  }
  /** Take the last map back, while the match runs. */
  readonly 'DELETE /tournaments/{tournament}/matches/{match}/games/{number}': {
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: undefined
    readonly reply: Match
  }
  /** Give the result of a match, or correct the one that it has. */
  readonly 'PUT /tournaments/{tournament}/matches/{match}/result': {
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
    readonly reply: Correction | Match
  }
  /** Open a completed match again. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/reopen': {
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
    readonly reply: Correction
  }
  /** Put everything that a correction changed back to what it was. */
  readonly 'POST /tournaments/{tournament}/corrections/{correction}/undo': {
    readonly query: {
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly body: undefined
    readonly reply: Correction | WithdrawalCorrection
  }
  /** Take a team out of the tournament. */
  readonly 'POST /tournaments/{tournament}/teams/{team}/withdraw': {
    readonly query: {
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly body: {
      readonly reason: string
      /** Whether results that the team has already stay (`walkover`) or count for nobody (`void`, in round robin and Swiss alone; also where it left before, by being unregistered or disqualified). */
      readonly policy: 'walkover' | 'void'
      /** Of all brackets concerned, by their GUIDs, as the preview told them. */
      readonly revisions?: Readonly<Record<string, unknown>>
      /** In the place of `revisions`, where one bracket is concerned. */
      readonly revision?: number
      /** The same as in the query. */
      readonly dryRun?: boolean
    }
    readonly reply: Team | WithdrawalCorrection
  }
  /** Undo a withdrawal: the team plays again. */
  readonly 'DELETE /tournaments/{tournament}/teams/{team}/withdrawal': {
    readonly query: {
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly body: {
      /** For the tournament’s staff. */
      readonly reason?: string
      /** Of all brackets concerned, by their GUIDs, as the preview told them. */
      readonly revisions?: Readonly<Record<string, unknown>>
      /** In the place of `revisions`, where one bracket is concerned. */
      readonly revision?: number
      /** The same as in the query. */
      readonly dryRun?: boolean
    } | undefined
    readonly reply: WithdrawalCorrection
  }
  /** Link the tournament to an assistant, or set its link anew as a whole. */
  readonly 'PUT /tournaments/{tournament}/assistant': {
    readonly query: Record<never, never>
    readonly body: {
      /** A name or an address. */
      readonly host: string
      readonly port?: number
      /** Always, but on installations for trying things out. */
      readonly tls?: boolean
      /** `public`, or the SHA-256 fingerprint of a self-signed one, in hex. */
      readonly certificate?: string
      /** The tournament as the assistant has it. */
      readonly assistantTournament: {
        readonly guid: string
        readonly name: string
      }
      /** `own`: tokens of this service, in the name of whoever sets the link. `bot`: the token of a bot of the assistant’s. `readonly`: results of qualifiers alone. */
      readonly tokenKind: 'own' | 'bot' | 'readonly'
      /** Of a bot. Left out: the one that there is, while host, port and certificate stay. */
      readonly token?: string | null
      /** Of the assistant’s tournament. Left out: as the token. */
      readonly password?: string | null
      /** Of the assistant’s protocol; null for the newest that is known here. */
      readonly versionCode?: number | null
      /** The assistant’s events. */
      readonly qualifierEvents?: readonly string[]
      readonly bannedMods?: readonly string[]
      /** By which the assistant signs its hooks. Left out: the one that there is. */
      readonly hookSecret?: string | null
      readonly enabled?: boolean
      /** Whether operators may change how a song is played. */
      readonly allowModify?: boolean
      /** How matches are played unless somebody says otherwise. */
      readonly defaults?: {
        readonly playMode?: 'now' | 'held' | 'synced'
        readonly readyCheck?: boolean
        readonly prompt?: string
        readonly loadTimeoutMs?: number
        readonly autoAccept?: boolean
        readonly autoAcceptMs?: number
      }
    }
    readonly reply: AssistantLink
  }
  /** End the tournament’s link to an assistant, with its secrets. */
  readonly 'DELETE /tournaments/{tournament}/assistant': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Connect to the assistant that the tournament is linked to, and see what it lets us do. */
  readonly 'POST /tournaments/{tournament}/assistant/test': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: AssistantLinkTest
  }
  /** Make a token for assistants’ servers, for a client of your own. */
  readonly 'POST /assistant/token': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: AssistantToken
  }
  /** Set up the qualifier, or change it; what is not given stays. */
  readonly 'PUT /tournaments/{tournament}/qualifier': {
    readonly query: Record<never, never>
    readonly body: QualifierInput
    readonly reply: Qualifier
  }
  /** Record attempts while the qualifier is open. */
  readonly 'POST /tournaments/{tournament}/qualifier/attempts': {
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
    readonly reply: {
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
  readonly 'POST /tournaments/{tournament}/qualifier/attempts/{attempt}/void': {
    readonly query: Record<never, never>
    readonly body: {
      readonly reason: string
      /** Whether the linked assistant is asked, afterwards, to give the player the attempt back too. Whatever comes of that, the attempt is void here. */
      readonly refund?: boolean
    }
    readonly reply: QualifierAttempt
  }
  /** Fetch results from elsewhere into the ledger. */
  readonly 'POST /tournaments/{tournament}/qualifier/sync': {
    readonly query: Record<never, never>
    readonly body: {
      /** An address, rows, comma-separated values, or the events of the linked assistant. Values have the columns `player`, `map` (GUID or hash) and `score`, and maybe `name`, `difficulty`, `characteristic`, `accuracy`, `misses`, `badCuts`, `maxCombo`, `fullCombo`, `completion`, `externalId`, `playedAt`. Without it, the assistant where the link names events, else the address that is set. */
      readonly source?: {
        readonly url: string
      } | {
        readonly rows: readonly Readonly<Record<string, unknown>>[]
      } | {
        readonly csv: string
      } | {
        readonly assistant: true
      }
    } | undefined
    readonly reply: QualifierSyncResult
  }
  /** Qualify the best teams of a qualifier that is closed, with seeds, in one step. */
  readonly 'POST /tournaments/{tournament}/qualifier/seed': {
    readonly query: {
      /** Only tells what would be. */
      readonly dryRun?: boolean
    }
    readonly body: {
      readonly size: number
      /** The same as in the query. */
      readonly dryRun?: boolean
      /** After `tie.undecided`: all of the tied teams, the best first. */
      readonly order?: readonly string[]
      /** Why the teams are ordered so; it stands in the log. */
      readonly reason?: string
      /** Draws the order of the tied teams by the seed to which `tie.undecided` has committed. The same tie is always drawn alike. A dry run draws nothing, and leaves these places empty. */
      readonly draw?: boolean
    }
    readonly reply: QualifierSeeding
  }
  /** Ask staff or teams when they can. */
  readonly 'POST /tournaments/{tournament}/availability/sheets': {
    readonly query: Record<never, never>
    readonly body: AvailabilitySheetInput
    readonly reply: AvailabilitySheet
  }
  /** Replace an availability sheet, keeping the answers that still fit. */
  readonly 'PUT /tournaments/{tournament}/availability/sheets/{sheet}': {
    readonly query: Record<never, never>
    readonly body: AvailabilitySheetInput
    readonly reply: ReplacedAvailabilitySheet
  }
  /** Delete an availability sheet with all its answers. */
  readonly 'DELETE /tournaments/{tournament}/availability/sheets/{sheet}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Say when one can, as the holder of a role. */
  readonly 'PUT /tournaments/{tournament}/availability/sheets/{sheet}/responses': {
    readonly query: Record<never, never>
    readonly body: {
      /** Of two for the same time, the later wins. */
      readonly responses: readonly AvailabilityResponseInput[]
      /** The role that is answered for; needed by those whom the sheet asks in several. */
      readonly role?: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee' | null
      /** `submittedAt` of the answers that were read before, null where there were none. Without it, whatever is there is replaced. */
      readonly expectedSubmittedAt?: string | null
    }
    readonly reply: {
      /** A role in a tournament. */
      readonly role: 'role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee'
      readonly responses: readonly AvailabilityResponse[]
      /** Null where no answer is left. */
      readonly submittedAt: string | null
    }
  }
  /** Say when a team can, as its captain. */
  readonly 'PUT /tournaments/{tournament}/availability/sheets/{sheet}/teams/{team}/responses': {
    readonly query: Record<never, never>
    readonly body: {
      /** Whole slots of the sheet. Of two for the same time, the later wins. */
      readonly responses: readonly TeamAvailabilityResponseInput[]
      /** `submittedAt` of the answers that were read before, null where there were none. Without it, whatever is there is replaced. */
      readonly expectedSubmittedAt?: string | null
    }
    readonly reply: {
      readonly teamResponses: readonly TeamAvailabilityResponse[]
      readonly teamSubmission: TeamAvailabilitySubmission
    }
  }
  /** Work out times and officials for matches, from the answers of availability sheets. */
  readonly 'POST /tournaments/{tournament}/schedule/proposals': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUIDs; or give `round`. */
      readonly matches?: readonly string[]
      /** All matches of a round that have not begun. */
      readonly round?: {
        /** GUID, in lower case in answers. */
        readonly bracketGuid: string
        readonly section: 'upper' | 'lower' | 'final' | 'third_place' | 'group' | 'swiss'
        readonly number: number
      }
      /** Availability sheets whose answers count. Teams that none of them asks are taken to be free at all times; teams and officials that are asked can when they answered that they can. */
      readonly sheets: readonly string[]
      readonly rules: {
        readonly minutesPerMatch: number
        /** Between two matches of a team; 0 unless given. */
        readonly minRestMinutes?: number
        /** How many matches may be at once: a number, or the names or addresses of streams, the preferred first; 1 unless given. Addresses become the `streamUrl` of their matches. Other matches of the tournament that have a time count too, on the stream whose address they have, else on one without an address. */
        readonly streams?: number | readonly string[]
        /** How many of each role a match needs, at most 16 together; none unless given. */
        readonly officialsPerMatch?: {
          readonly 'role:admin'?: number
          readonly 'role:staff'?: number
          readonly 'role:coordinator'?: number
          readonly 'role:hcoordinator'?: number
          readonly 'role:pooler'?: number
          readonly 'role:hpooler'?: number
          readonly 'role:caster'?: number
          readonly 'role:hcaster'?: number
          readonly 'role:host'?: number
          readonly 'role:referee'?: number
        }
        /** ISO 8601 instant; UTC with milliseconds in answers. */
        readonly earliest: string
        /** ISO 8601 instant; UTC with milliseconds in answers. */
        readonly latest: string
      }
    }
    readonly reply: ScheduleProposal
  }
  /** Give matches the times and officials of a proposal, all of them or some, in one step. */
  readonly 'POST /tournaments/{tournament}/schedule/proposals/{proposal}/apply': {
    readonly query: Record<never, never>
    readonly body: ScheduleApplication | undefined
    readonly reply: ScheduleProposal
  }
  /** How long an evening takes, from 500 simulated runs. */
  readonly 'POST /tournaments/{tournament}/estimate': {
    readonly query: Record<never, never>
    readonly body: {
      /** How many teams are expected. Brackets whose teams come from no other bracket are made larger or smaller, in proportion, until all of these are in. */
      readonly teams: number
      /** How many of them do not appear; several numbers make as many scenarios. */
      readonly noShows: number | readonly number[]
      /** How many matches can be played at once. */
      readonly channels: number
      /** Odd; of all matches, instead of what the brackets have. */
      readonly bestOf?: number
      /** Needed, and used, only while the tournament has no bracket. */
      readonly format?: 'single_elimination' | 'double_elimination' | 'round_robin' | 'swiss'
      /** What all draws come from; always the same unless given. */
      readonly seed?: string
    }
    readonly reply: Estimate
  }
  /** Suggest a map for a pool. */
  readonly 'POST /tournaments/{tournament}/suggestions': {
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
    readonly reply: Suggestion
  }
  /** Change what one said beside a map that one suggested, while that is open. */
  readonly 'PATCH /tournaments/{tournament}/suggestions/{suggestion}': {
    readonly query: Record<never, never>
    readonly body: {
      /** Why it should be played. */
      readonly note?: string | null
      /** The pool that it is for; poolers alone say so. */
      readonly targetPool?: string | null
      /** GUID, in lower case in answers. */
      readonly targetFlair?: string | null
    }
    readonly reply: Suggestion
  }
  /** Take a suggestion back, while it is open. */
  readonly 'POST /tournaments/{tournament}/suggestions/{suggestion}/withdraw': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: Suggestion
  }
  /** Accept a suggestion: its map goes into the pool. */
  readonly 'POST /tournaments/{tournament}/suggestions/{suggestion}/accept': {
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
    readonly reply: {
      readonly suggestion: Suggestion
      readonly poolMap: PoolMap
    }
  }
  /** Reject a suggestion; whoever made it is told why. */
  readonly 'POST /tournaments/{tournament}/suggestions/{suggestion}/reject': {
    readonly query: Record<never, never>
    readonly body: {
      readonly reason: string
    }
    readonly reply: Suggestion
  }
  /** Open a suggestion again that was rejected or withdrawn. */
  readonly 'POST /tournaments/{tournament}/suggestions/{suggestion}/reopen': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: Suggestion
  }
  /** Vote on a suggestion that is open; a vote that one had is replaced. */
  readonly 'PUT /tournaments/{tournament}/suggestions/{suggestion}/vote': {
    readonly query: Record<never, never>
    readonly body: {
      readonly value: -1 | 0 | 1
    }
    readonly reply: Votes
  }
  /** Take one’s vote on a suggestion back. */
  readonly 'DELETE /tournaments/{tournament}/suggestions/{suggestion}/vote': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Vote on a map of a pool that is not published; a vote that one had is replaced. */
  readonly 'PUT /tournaments/{tournament}/pools/{pool}/maps/{poolMap}/vote': {
    readonly query: Record<never, never>
    readonly body: {
      readonly value: -1 | 0 | 1
    }
    readonly reply: Votes
  }
  /** Take one’s vote on a map of a pool back. */
  readonly 'DELETE /tournaments/{tournament}/pools/{pool}/maps/{poolMap}/vote': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Say something of a suggestion, to poolers. */
  readonly 'POST /tournaments/{tournament}/suggestions/{suggestion}/comments': {
    readonly query: Record<never, never>
    readonly body: {
      /** Plain text. */
      readonly text: string
      /** The comment that it answers; a reply to a reply joins its thread. */
      readonly replyTo?: string | null
    }
    readonly reply: Comment
  }
  /** Say something of a map in a pool, to poolers. */
  readonly 'POST /tournaments/{tournament}/pools/{pool}/maps/{poolMap}/comments': {
    readonly query: Record<never, never>
    readonly body: {
      /** Plain text. */
      readonly text: string
      /** The comment that it answers; a reply to a reply joins its thread. */
      readonly replyTo?: string | null
    }
    readonly reply: Comment
  }
  /** Say otherwise what one wrote within the last 15 minutes. */
  readonly 'PATCH /tournaments/{tournament}/pool-comments/{comment}': {
    readonly query: Record<never, never>
    readonly body: {
      /** Plain text. */
      readonly text: string
    }
    readonly reply: Comment
  }
  /** Delete a comment of one’s own or, as a head, of anybody; what was answered to it stays. */
  readonly 'DELETE /tournaments/{tournament}/pool-comments/{comment}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Add many maps to a pool at once, behind the others. */
  readonly 'POST /tournaments/{tournament}/pools/{pool}/imports': {
    readonly query: Record<never, never>
    readonly body: NewImport
    readonly reply: Import
  }
  /** Say which pools the matches of a tournament use. */
  readonly 'PUT /tournaments/{tournament}/pool-plan': {
    readonly query: Record<never, never>
    readonly body: PoolPlanInput
    readonly reply: PoolPlan
  }
  /** Make the maps of a pool those of the qualifier, in their order. */
  readonly 'POST /tournaments/{tournament}/pools/{pool}/qualifier': {
    readonly query: {
      /** Only tells what would be. */
      readonly dryRun?: boolean
    }
    readonly body: {
      /** Only answers what would be, and stores nothing. */
      readonly dryRun?: boolean
    } | undefined
    readonly reply: QualifierMapsFromPool
  }
  /** What is wrong with a flow, and how much it takes at the worst. */
  readonly 'POST /flows/validate': {
    readonly query: Record<never, never>
    readonly body: {
      readonly flow: FlowInput
      /** Odd; unset for any. */
      readonly bestOf?: 1 | 3 | 5 | 7 | 9 | 11 | 13 | 15 | 17 | 19 | 21 | 23 | 25 | 27 | 29 | 31 | 33 | 35 | 37 | 39 | 41 | 43 | 45 | 47 | 49 | 51 | 53 | 55 | 57 | 59 | 61 | 63 | 65 | 67 | 69 | 71 | 73 | 75 | 77 | 79 | 81 | 83 | 85 | 87 | 89 | 91 | 93 | 95 | 97 | 99 | null
      /** The maps that it is to be played with. */
      readonly pool?: readonly {
        readonly flair?: string | null
        readonly isTiebreaker?: boolean
      }[] | null
      /** GUID or short id of the tournament whose teams are to play it. */
      readonly tournament?: string | null
    }
    readonly reply: FlowVerdict
  }
  /** Try a flow step by step, with invented sides and maps. */
  readonly 'POST /flows/simulate': {
    readonly query: Record<never, never>
    readonly body: {
      readonly flow: FlowInput
      /** Odd; unset for any. */
      readonly bestOf?: 1 | 3 | 5 | 7 | 9 | 11 | 13 | 15 | 17 | 19 | 21 | 23 | 25 | 27 | 29 | 31 | 33 | 35 | 37 | 39 | 41 | 43 | 45 | 47 | 49 | 51 | 53 | 55 | 57 | 59 | 61 | 63 | 65 | 67 | 69 | 71 | 73 | 75 | 77 | 79 | 81 | 83 | 85 | 87 | 89 | 91 | 93 | 95 | 97 | 99 | null
      /** The maps that it is tried with. */
      readonly pool: readonly {
        readonly flair?: string | null
        readonly isTiebreaker?: boolean
      }[]
      /** Equal seeds draw the same. */
      readonly seed?: string
      /** What has happened so far. */
      readonly moves?: readonly FlowMove[]
    }
    readonly reply: FlowSimulation
  }
  /** Make a flow, from a preset or from nothing. */
  readonly 'POST /tournaments/{tournament}/flows': {
    readonly query: Record<never, never>
    readonly body: NewFlow
    readonly reply: Flow
  }
  /** Replace a flow as a whole. */
  readonly 'PUT /tournaments/{tournament}/flows/{flow}': {
    readonly query: Record<never, never>
    readonly body: WholeFlow
    readonly reply: Flow
  }
  /** Delete a flow that the plan does not name. */
  readonly 'DELETE /tournaments/{tournament}/flows/{flow}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Say by which flows the matches of a tournament are played. */
  readonly 'PUT /tournaments/{tournament}/flow-plan': {
    readonly query: Record<never, never>
    readonly body: FlowPlanInput
    readonly reply: FlowPlan
  }
  /** Begin a match with its session, by the planned flow and pool or by others. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/flow': {
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
    readonly reply: FlowState
  }
  /** Begin a session without a match: a lobby, a showmatch, a rehearsal. */
  readonly 'POST /tournaments/{tournament}/flow-sessions': {
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
    readonly reply: FlowState
  }
  /** Begin a session anew, as long as no map has ended. */
  readonly 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/restart': {
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect?: number
      readonly reason: string
    }
    readonly reply: FlowState
  }
  /** End a session without a result. */
  readonly 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/finish': {
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect?: number
      readonly reason: string
    }
    readonly reply: FlowState
  }
  /** Choose in a session: ban, pick, name a line-up, be ready, and whatever else the step asks for. */
  readonly 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/act': {
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
    readonly reply: FlowState
  }
  /** Claim a replay of the map that was played, or, as a referee, have seats play it again. */
  readonly 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/claims': {
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
    readonly reply: FlowState
  }
  /** Take a replay back that was claimed and has not been played. */
  readonly 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/claims/{claim}/cancel': {
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect: number
    }
    readonly reply: FlowState
  }
  /** Take back the last thing that somebody did, or that a lapse did. */
  readonly 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/undo': {
    readonly query: Record<never, never>
    readonly body: {
      /** The last position that you have seen. Where the session has gone on since, nothing happens. */
      readonly expect: number
    }
    readonly reply: FlowState
  }
  /** Pause a session, go on, give more time; or, as a seat, call a timeout. */
  readonly 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/clock': {
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
    readonly reply: FlowState
  }
  /** Tell scores of the run that is played. */
  readonly 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/scores': {
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
    readonly reply: FlowState
  }
  /** Correct a score that was told, and everything that follows from it. */
  readonly 'PATCH /tournaments/{tournament}/flow-sessions/{flowSession}/scores/{score}': {
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
    readonly reply: FlowCorrection | FlowState
  }
  /** Give a penalty: from a warning to the loss of a score, a map, or the match. */
  readonly 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/penalties': {
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
    readonly reply: FlowCorrection | FlowState
  }
  /** Void a penalty, as if it had not been given. */
  readonly 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/penalties/{penalty}/void': {
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
    readonly reply: FlowCorrection | FlowState
  }
  /** Do by hand what the flow does not provide for. */
  readonly 'POST /tournaments/{tournament}/flow-sessions/{flowSession}/override': {
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
    readonly reply: FlowState
  }
  /** Make a proposal the result of its song. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/proposals/{gameProposal}/accept': {
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
    readonly reply: DecidedProposal
  }
  /** Decide that a song gets no result by a proposal. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/proposals/{gameProposal}/reject': {
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: {
      /** For the tournament’s staff. */
      readonly reason: string
    }
    readonly reply: DecidedProposal
  }
  /** Tell by hand how a player does while a map is played. */
  readonly 'PUT /tournaments/{tournament}/matches/{match}/live/{user}': {
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: LiveScore
    readonly reply: null
  }
  /** Tell what a song came to, by the word of one’s own game. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/live/{user}/finish': {
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
    readonly reply: FinishedSong
  }
  /** Manage a match at the assistant: open its session, and take control of it. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/assistant': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: AssistantSession
  }
  /** Close the session of a match. */
  readonly 'DELETE /tournaments/{tournament}/matches/{match}/assistant': {
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
    readonly reply: null
  }
  /** Take control of a session, renew it every ten seconds, release it, or take it over with a reason. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/assistant/control': {
    readonly query: Record<never, never>
    readonly body: {
      readonly action: 'take' | 'renew' | 'release' | 'takeover'
      /** Of a takeover, for whoever had control, and for the audit list. */
      readonly reason?: string
    }
    readonly reply: AssistantSession
  }
  /** Say by which platform id somebody is found at the assistant, for this session. */
  readonly 'PUT /tournaments/{tournament}/matches/{match}/assistant/players/{user}': {
    readonly query: Record<never, never>
    readonly body: {
      /** null for nobody at the assistant. */
      readonly platformId: string | null
    }
    readonly reply: AssistantSession
  }
  /** Set the map that is played next: that of the flow session, one of a pool, or any. */
  readonly 'PUT /tournaments/{tournament}/matches/{match}/assistant/map': {
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
    readonly reply: AssistantSession
  }
  /** Have the players, or some of them, load the map. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/assistant/load': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUIDs of some of the players; all of them without it. */
      readonly players?: readonly string[]
      /** Although the match is decided: what comes of it is proposed with `late`. */
      readonly force?: boolean
      /** Needed with `force`; it stands in the audit list where the match is decided. */
      readonly reason?: string
    } | undefined
    readonly reply: AssistantSession
  }
  /** Ask the players in their headsets whether they are ready. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/assistant/ready-check': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUIDs of some of the players; all of them without it. */
      readonly players?: readonly string[]
      readonly text?: string
      /** 30 without it. */
      readonly seconds?: number
    } | undefined
    readonly reply: AssistantSession
  }
  /** Start the song that everybody has loaded. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/assistant/play': {
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
    readonly reply: AssistantSession
  }
  /** Send everybody back to the menu; a song that is broken off has no result. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/assistant/return': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: AssistantSession
  }
  /** Change how the song looks or is played, where the link allows it. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/assistant/modify': {
    readonly query: Record<never, never>
    readonly body: {
      readonly modifier: 'InvertColors' | 'InvertHandedness' | 'DisableBlueNotes' | 'DisableRedNotes'
      /** Needed while a song is played. */
      readonly confirm?: boolean
    }
    readonly reply: AssistantSession
  }
  /** Show a colour in the players’ headsets, to see how late their streams are. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/assistant/sync-color': {
    readonly query: Record<never, never>
    readonly body: {
      readonly color: string
      /** GUIDs of some of the players; all of them without it. */
      readonly players?: readonly string[]
    }
    readonly reply: AssistantSession
  }
  /** Say how late the players’ streams are, for this session. */
  readonly 'PUT /tournaments/{tournament}/matches/{match}/assistant/delays': {
    readonly query: Record<never, never>
    readonly body: readonly {
      /** GUID, in lower case in answers. */
      readonly user: string
      readonly delayMs: number
    }[]
    readonly reply: AssistantSession
  }
  /** Connect to the assistant anew, and look how things stand there. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/assistant/resync': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: AssistantSession
  }
  /** Bring the maps of a pool, or of the qualifier, to the assistant. */
  readonly 'POST /tournaments/{tournament}/assistant/push': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUID, in lower case in answers. */
      readonly pool?: string
      /** GUID of the assistant’s event that gets the qualifier’s maps. */
      readonly qualifier?: string
      /** Only tells what would be. */
      readonly dryRun?: boolean
      /** Whether maps that are not ours go; they stay unless it is said. */
      readonly remove?: boolean
    }
    readonly reply: AssistantPush
  }
  /** Sign in a game. */
  readonly 'POST /game/requestAuthToken': {
    readonly query: Record<never, never>
    readonly body: {
      readonly platform: 'scoresaber'
      readonly platformId: string
      readonly platformUsername: string
      readonly proofProvider: 'scoresaber'
      readonly proofPlayerId: string
      readonly proofNonce: string
    } | {
      readonly provider: 'steamTicket' | 'oculusTicket'
      readonly ticket: string
      /** What the token is to say beside the game’s scopes. */
      readonly scopes?: readonly 'compcube'[]
    }
    readonly reply: {
      /** A JWT for servers of assistants, for a day; nothing here takes it. */
      readonly token: string
    }
  }
  /** Make a ticket by which a player’s game tells of a match without signing in. */
  readonly 'POST /tournaments/{tournament}/matches/{match}/bridgeTickets': {
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: {
      /** Any identifier of a player of the match. */
      readonly user: string
    }
    readonly reply: BridgeTicket
  }
  /** End a player’s ticket for a match. */
  readonly 'DELETE /tournaments/{tournament}/matches/{match}/bridgeTickets/{user}': {
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: undefined
    readonly reply: null
  }
  /** Add a media server. */
  readonly 'POST /admin/streamServers': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name: string
      readonly enabled?: boolean
      readonly assignmentRequired?: boolean
      /** Where encoders send to, without credentials or keys. */
      readonly ingest: readonly {
        readonly protocol: 'rtmp' | 'rtmps' | 'srt' | 'whip'
        readonly url: string
      }[]
      /** http or https, with `{path}` for the path of the stream; what is left out stays. */
      readonly play?: {
        readonly whep?: string | null
        readonly llhls?: string | null
        readonly hls?: string | null
      }
      /** Where the server itself is asked what is live and told to end a stream; it may be in a private network. Replaced as a whole. */
      readonly control?: {
        readonly url: string
        readonly user?: string | null
        /** Left out: the one that there is. */
        readonly password?: string | null
        readonly vhost?: string | null
        readonly app?: string | null
      } | null
      /** Where the server asks from, in CIDR notation; empty for anywhere. nginx-rtmp may ask from loopback and private networks alone, from all of them unless some are named. */
      readonly networks?: readonly string[]
      /** It stays. */
      readonly kind: 'mediamtx' | 'ovenmediaengine' | 'srs' | 'nginx-rtmp' | 'generic'
    }
    readonly reply: NewStreamServer
  }
  /** Change a media server; what is not given stays. */
  readonly 'PATCH /admin/streamServers/{streamServer}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name?: string
      readonly enabled?: boolean
      readonly assignmentRequired?: boolean
      /** Where encoders send to, without credentials or keys. */
      readonly ingest?: readonly {
        readonly protocol: 'rtmp' | 'rtmps' | 'srt' | 'whip'
        readonly url: string
      }[]
      /** http or https, with `{path}` for the path of the stream; what is left out stays. */
      readonly play?: {
        readonly whep?: string | null
        readonly llhls?: string | null
        readonly hls?: string | null
      }
      /** Where the server itself is asked what is live and told to end a stream; it may be in a private network. Replaced as a whole. */
      readonly control?: {
        readonly url: string
        readonly user?: string | null
        /** Left out: the one that there is. */
        readonly password?: string | null
        readonly vhost?: string | null
        readonly app?: string | null
      } | null
      /** Where the server asks from, in CIDR notation; empty for anywhere. nginx-rtmp may ask from loopback and private networks alone, from all of them unless some are named. */
      readonly networks?: readonly string[]
    }
    readonly reply: StreamServer
  }
  /** Delete a media server, with the record of what went through it. */
  readonly 'DELETE /admin/streamServers/{streamServer}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Give a media server a new secret. */
  readonly 'POST /admin/streamServers/{streamServer}/secret': {
    readonly query: Record<never, never>
    readonly body: {
      /** For how long the old secret counts beside the new one; 0 unless given. */
      readonly graceSeconds?: number
    } | undefined
    readonly reply: {
      /** What the server proves itself with. Shown this once. */
      readonly secret: string
    }
  }
  /** Ask a media server by its control address what is live. */
  readonly 'POST /admin/streamServers/{streamServer}/test': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: StreamServerTest
  }
  /** Make a stream key, with which an encoder publishes. */
  readonly 'POST /users/@me/streamKeys': {
    readonly query: Record<never, never>
    readonly body: {
      /** For its owner to tell it by. */
      readonly label: string
    }
    readonly reply: StreamKey
  }
  /** Put a new stream key in the place of one. */
  readonly 'POST /users/@me/streamKeys/{streamKey}/rotate': {
    readonly query: Record<never, never>
    readonly body: {
      /** For how long the old key goes on beside the new one; 0 unless given. */
      readonly graceSeconds?: number
    } | undefined
    readonly reply: StreamKey
  }
  /** Revoke a stream key, for good. */
  readonly 'DELETE /users/@me/streamKeys/{streamKey}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Revoke a stream key of any user, for good. */
  readonly 'DELETE /admin/users/{user}/streamKeys/{streamKey}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Assign somebody to stream for a match, or for the whole tournament. */
  readonly 'POST /tournaments/{tournament}/streamAssignments': {
    readonly query: Record<never, never>
    readonly body: {
      /** Any identifier. */
      readonly user: string
      readonly role: 'player' | 'caster' | 'observer'
      /** Number of the side of the match; of a player whose team is known, it follows from the team. */
      readonly side?: 1 | 2 | null
      /** Place on the side; unless given, the first that is free for a player, and 1 for all others. */
      readonly slot?: number
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly startsAt: string
      /** At most seven days behind `startsAt`. */
      readonly endsAt: string
      /** For the tournament’s staff; an empty text removes it. */
      readonly note?: string | null
      /** GUID of a match, or its number; null, as unless given, for the whole tournament. */
      readonly match?: string | null
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly reply: StreamAssignment
  }
  /** Change the times, the side, the slot or the note of an assignment; what is not given stays. */
  readonly 'PATCH /tournaments/{tournament}/streamAssignments/{assignment}': {
    readonly query: Record<never, never>
    readonly body: {
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly startsAt?: string
      /** At most seven days behind `startsAt`. */
      readonly endsAt?: string
      /** Number of the side of the match; of a player whose team is known, it follows from the team. */
      readonly side?: 1 | 2 | null
      /** Place on the side; unless given, the first that is free for a player, and 1 for all others. */
      readonly slot?: number
      /** For the tournament’s staff; an empty text removes it. */
      readonly note?: string | null
    }
    readonly reply: StreamAssignment
  }
  /** Cancel an assignment that has not ended. */
  readonly 'DELETE /tournaments/{tournament}/streamAssignments/{assignment}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Say as a whole who is to stream for a match. */
  readonly 'PUT /tournaments/{tournament}/matches/{match}/streams': {
    readonly query: {
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
    }
    readonly body: {
      readonly assignments: readonly {
        /** Any identifier. */
        readonly user: string
        readonly role: 'player' | 'caster' | 'observer'
        /** Number of the side of the match; of a player whose team is known, it follows from the team. */
        readonly side?: 1 | 2 | null
        /** Place on the side; unless given, the first that is free for a player, and 1 for all others. */
        readonly slot?: number
        /** ISO 8601 instant; UTC with milliseconds in answers. */
        readonly startsAt: string
        /** At most seven days behind `startsAt`. */
        readonly endsAt: string
        /** For the tournament’s staff; an empty text removes it. */
        readonly note?: string | null
      }[]
    }
    readonly reply: {
      readonly streamAssignments: readonly StreamAssignment[]
    }
  }
  /** Replace the channels of the tournament as a whole. */
  readonly 'PUT /tournaments/{tournament}/channels': {
    readonly query: Record<never, never>
    readonly body: {
      readonly channels: readonly {
        /** Of a channel that stays, with its queue. */
        readonly guid?: string
        readonly name: string
        /** Where it is watched, over https. It becomes the `streamUrl` of the matches in its queue. */
        readonly url: string
        /** How far what it shows is behind the matches; 0 unless given. By so much the matches in its queue are late for whoever asks for them with `delayed`. */
        readonly delaySeconds?: number
      }[]
      /** Of what this takes the place of; 0 for the first. */
      readonly revision: number
    }
    readonly reply: ChannelList
  }
  /** Replace the queue of a channel as a whole. */
  readonly 'PUT /tournaments/{tournament}/channels/{channel}/queue': {
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
    readonly reply: ChannelQueue
  }
  /** End a stream that is live, with a reason for its user. */
  readonly 'POST /tournaments/{tournament}/streamSessions/{streamSession}/cut': {
    readonly query: Record<never, never>
    readonly body: {
      /** For the user. */
      readonly reason: string
    }
    readonly reply: string | null
  }
  /** End a stream that is live, with a reason for its user. */
  readonly 'POST /admin/streamSessions/{streamSession}/cut': {
    readonly query: Record<never, never>
    readonly body: {
      /** For the user. */
      readonly reason: string
    }
    readonly reply: string | null
  }
  /** Make an overlay, from a template, another overlay, a package or nothing. */
  readonly 'POST /tournaments/{tournament}/overlays': {
    readonly query: Record<never, never>
    readonly body: unknown
    readonly reply: Overlay
  }
  /** Change the name, the access or the editors of an overlay; what is not given stays. */
  readonly 'PATCH /tournaments/{tournament}/overlays/{overlay}': {
    readonly query: Record<never, never>
    readonly body: {
      /** No other overlay of the tournament has it, in capital letters or not. */
      readonly name?: string
      /** Who may read what its page needs: `token`, whoever has one of its view tokens, or `public`, everybody who sees the tournament. */
      readonly access?: 'token' | 'public'
      /** Users, each by any identifier, who may change its scenes beside those whose role in the tournament lets them; all of them, at most 20. Who is named twice is one of them once. */
      readonly editors?: readonly string[]
    }
    readonly reply: Overlay
  }
  /** Delete an overlay, with its scenes, its versions and its view tokens. */
  readonly 'DELETE /tournaments/{tournament}/overlays/{overlay}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Make a view token, with which a page reads this overlay, and nothing else. */
  readonly 'POST /tournaments/{tournament}/overlays/{overlay}/tokens': {
    readonly query: Record<never, never>
    readonly body: {
      /** For those who manage the overlay, to tell its tokens apart. */
      readonly label: string
      /** When it ceases to be good; never unless given. */
      readonly expiresAt?: string | null
      /** Whether it also shows what is about to be taken on air; not unless given. */
      readonly preview?: boolean
    }
    readonly reply: MadeViewToken
  }
  /** Revoke a view token, so that pages show nothing by it any more. */
  readonly 'DELETE /tournaments/{tournament}/overlays/{overlay}/tokens/{viewToken}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Change what an overlay shows; members that are not named stay. */
  readonly 'PATCH /tournaments/{tournament}/overlays/{overlay}/control': {
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
    readonly reply: OverlayControl
  }
  /** Point an overlay at a match of the tournament, or at none. */
  readonly 'PUT /tournaments/{tournament}/overlays/{overlay}/match': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUID of a match of the tournament, or its number; null for none. */
      readonly matchGuid: string | null
      /** GUID or short id of the division, for a match named by its number. */
      readonly division?: string
      /** Of the control state that this is made for: where it has changed since, nothing does. Any unless given. */
      readonly revision?: number
    }
    readonly reply: OverlayControl
  }
  /** Replace the scene document of an overlay as a whole. */
  readonly 'PUT /tournaments/{tournament}/overlays/{overlay}/scene': {
    readonly query: Record<never, never>
    readonly body: SceneDocument
    readonly reply: SceneDraft
  }
  /** Have the pages of an overlay show its draft. */
  readonly 'POST /tournaments/{tournament}/overlays/{overlay}/publish': {
    readonly query: Record<never, never>
    readonly body: {
      /** Of the draft, as it was seen. */
      readonly revision: number
      /** By which the version is found again. */
      readonly name?: string | null
    }
    readonly reply: OverlayVersion
  }
  /** Keep the draft of an overlay under a name. */
  readonly 'POST /tournaments/{tournament}/overlays/{overlay}/versions': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name: string
    }
    readonly reply: OverlayVersion
  }
  /** Have the draft of an overlay be as a version was. */
  readonly 'POST /tournaments/{tournament}/overlays/{overlay}/versions/{version}/restore': {
    readonly query: Record<never, never>
    readonly body: {
      /** Whether pages show it at once, which publishers alone may ask for. */
      readonly publish?: boolean
    } | undefined
    readonly reply: {
      /** Of the draft. */
      readonly revision: number
      /** What pages show now; null where they were not to show it. */
      readonly published: OverlayVersion | null
    }
  }
  /** Replace the draft of an overlay by a package. */
  readonly 'POST /tournaments/{tournament}/overlays/{overlay}/package': {
    readonly query: {
      /** Videos and fonts that are new here need it: that you may use them, and have others see them here. */
      readonly rightsConfirmed?: boolean
    }
    readonly body: unknown
    readonly reply: TakenOverlayPackage
  }
  /** Keep the draft of an overlay as a template of one’s own. */
  readonly 'POST /overlay-templates': {
    readonly query: Record<never, never>
    readonly body: {
      /** No other template of the caller has it, in capital letters or not. */
      readonly name: string
      /** For its owner alone. */
      readonly description?: string
      /** GUID of the overlay. */
      readonly overlay: string
    }
    readonly reply: WholeOverlayTemplate
  }
  /** Delete a template of one’s own. */
  readonly 'DELETE /overlay-templates/{overlayTemplate}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** What the chat would be told of each kind. */
  readonly 'POST /tournaments/{tournament}/announcements/test': {
    readonly query: Record<never, never>
    readonly body: AnnouncementsToTest
    readonly reply: TestedAnnouncements
  }
  /** Make a badge, which nobody holds yet. */
  readonly 'POST /badges': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name: string
      /** Plain text. */
      readonly description: string
      readonly kind: 'placement' | 'participation' | 'staff' | 'award' | 'special'
      /** Own media of the kind `badge_image`; 8:3 is usual. */
      readonly mediaGuid: string
      /** GUID or short id of the tournament that it is of. */
      readonly tournament?: string | null
    }
    readonly reply: Badge
  }
  /** Change or retire a badge; what is not given stays. */
  readonly 'PATCH /badges/{badge}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name?: string
      /** Plain text. */
      readonly description?: string
      readonly kind?: 'placement' | 'participation' | 'staff' | 'award' | 'special'
      /** Own media of the kind `badge_image`; 8:3 is usual. */
      readonly mediaGuid?: string
      /** GUID or short id of the tournament that it is of. */
      readonly tournament?: string | null
      /** A retired badge stays with its holders, and is given to nobody else. */
      readonly retired?: boolean
    }
    readonly reply: Badge
  }
  /** Delete a badge that nobody ever held. */
  readonly 'DELETE /badges/{badge}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Give a badge to some users, each of whom is told. */
  readonly 'POST /badges/{badge}/grants': {
    readonly query: Record<never, never>
    readonly body: {
      readonly users: readonly {
        /** Any identifier of a user. */
        readonly user: string
        /** What is written beside it. */
        readonly label?: string | null
        readonly place?: number | null
      }[]
      /** When they earned it; unset: now. */
      readonly awardedAt?: string | null
    }
    readonly reply: {
      readonly granted: readonly Grant[]
      readonly alreadyHeld: readonly string[]
      readonly unknown: readonly number[]
    }
  }
  /** Take a badge from one of its holders, who is told why. */
  readonly 'POST /badges/{badge}/grants/{badgeGrant}/revoke': {
    readonly query: Record<never, never>
    readonly body: {
      /** The user is told. */
      readonly reason: string
    }
    readonly reply: Grant
  }
  /** Put the signed-in user’s badges in an order, and hide some of them from others. */
  readonly 'PATCH /users/@me/badges': {
    readonly query: Record<never, never>
    readonly body: {
      /** Grants that stand first, in this order; all others stand behind them, the newest first. */
      readonly order?: readonly string[]
      /** All grants that others do not see; every other one is shown. */
      readonly hidden?: readonly string[]
    }
    readonly reply: {
      readonly badges: readonly HeldBadge[]
    }
  }
  /** Bring over badges of ranking platform A, for users whose account there is verified. */
  readonly 'POST /badges/import/ranking-a': {
    readonly query: Record<never, never>
    readonly body: {
      /** Any identifiers; unless given, everybody with a verified link to ranking platform A, by a job. */
      readonly users?: readonly string[]
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly reply: ImportedBadges | {
      readonly job: BadgeImport
    }
  }
  /** Grant badges by the rows of a file of comma-separated values. */
  readonly 'POST /badges/import/csv': {
    readonly query: {
      /** Only tell what would happen. */
      readonly dryRun?: boolean
      /** Take the rows that can be used, and tell which cannot. */
      readonly partial?: boolean
    }
    readonly body: unknown
    readonly reply: ImportedGrants
  }
  /** Ask for badges for those who played in a tournament or helped with it. */
  readonly 'POST /tournaments/{tournament}/badgeRequests': {
    readonly query: Record<never, never>
    readonly body: {
      /** For the managers of badges: plain text. */
      readonly message?: string
      readonly badges: readonly {
        readonly name: string
        /** Plain text. */
        readonly description: string
        readonly kind: 'placement' | 'participation' | 'staff' | 'award' | 'special'
        /** Media of the kind `badge_image`, of the tournament or one’s own; 8:3 is usual. */
        readonly mediaGuid: string
        /** At most 500 in all. */
        readonly recipients: readonly {
          /** Any identifier. */
          readonly user: string
          /** What it is for, such as “2nd place”. */
          readonly label?: string | null
          readonly place?: number | null
        }[]
      }[]
    }
    readonly reply: BadgeRequest
  }
  /** Change what a request asks for, as long as it waits. */
  readonly 'PATCH /tournaments/{tournament}/badgeRequests/{badgeRequest}': {
    readonly query: Record<never, never>
    readonly body: {
      /** For the managers of badges: plain text. */
      readonly message?: string
      readonly badges?: readonly {
        readonly name: string
        /** Plain text. */
        readonly description: string
        readonly kind: 'placement' | 'participation' | 'staff' | 'award' | 'special'
        /** Media of the kind `badge_image`, of the tournament or one’s own; 8:3 is usual. */
        readonly mediaGuid: string
        /** At most 500 in all. */
        readonly recipients: readonly {
          /** Any identifier. */
          readonly user: string
          /** What it is for, such as “2nd place”. */
          readonly label?: string | null
          readonly place?: number | null
        }[]
      }[]
      /** The `updatedAt` that the caller has seen. */
      readonly expectedUpdatedAt: string
    }
    readonly reply: BadgeRequest
  }
  /** Withdraw a request for badges that nobody has decided. */
  readonly 'POST /tournaments/{tournament}/badgeRequests/{badgeRequest}/withdraw': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: BadgeRequest
  }
  /** Approve or reject a request for badges. */
  readonly 'POST /admin/badgeRequests/{badgeRequest}/review': {
    readonly query: Record<never, never>
    readonly body: {
      readonly decision: 'approved' | 'rejected'
      /** Needed to reject; the organiser is told it. */
      readonly reason?: string | null
      /** In place of those that were asked for, where they are approved. */
      readonly badges?: readonly {
        readonly name: string
        /** Plain text. */
        readonly description: string
        readonly kind: 'placement' | 'participation' | 'staff' | 'award' | 'special'
        /** Media of the kind `badge_image`, of the tournament or one’s own; 8:3 is usual. */
        readonly mediaGuid: string
        /** At most 500 in all. */
        readonly recipients: readonly {
          /** Any identifier. */
          readonly user: string
          /** What it is for, such as “2nd place”. */
          readonly label?: string | null
          readonly place?: number | null
        }[]
      }[]
      /** The `updatedAt` that the caller has seen. */
      readonly expectedUpdatedAt: string
    }
    readonly reply: ReviewedBadgeRequest
  }
  /** Make an edition of the awards, as a draft that managers alone see. */
  readonly 'POST /awards': {
    readonly query: Record<never, never>
    readonly body: {
      /** Letters, digits and hyphens, unlike that of any other edition in whatever case; not `nominees`. */
      readonly id: string
      readonly title: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly nominationsOpenAt: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly nominationsCloseAt: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly votingOpensAt: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly votingClosesAt: string
      /** Markdown. */
      readonly description?: string
      /** An address elsewhere, or of own media of the kind `award_image`; null for none. */
      readonly bannerUrl?: string | null
      /** Null: by hand. */
      readonly publishAt?: string | null
      readonly rules: {
        /** Accounts from before then take part; `votingOpensAt` at the latest. */
        readonly accountBefore: string
        /** On which ranking platform voters need a verified account. Default: `either`. */
        readonly link?: 'ranking-a' | 'ranking-b' | 'either' | 'none'
        /** Links verified before then count; unset, it is `accountBefore`. */
        readonly linkBefore?: string | null
        readonly minTournamentsPlayed?: number
        /** Whether users may nominate what is theirs. Default: no. */
        readonly selfNomination?: boolean
        /** Default: 3. */
        readonly nominationsPerCategory?: number
        /** What a tie at the first place comes to: all win, or a runoff. Default: `shared`. */
        readonly tie?: 'shared' | 'runoff'
        /** Whether results show numbers of votes. Default: yes. */
        readonly showCounts?: boolean
      }
    }
    readonly reply: Awards
  }
  /** Change an edition; what is not given stays. */
  readonly 'PATCH /awards/{edition}': {
    readonly query: Record<never, never>
    readonly body: {
      /** The `updatedAt` that the caller has seen. */
      readonly expectedUpdatedAt: string
      /** Letters, digits and hyphens, unlike that of any other edition in whatever case; not `nominees`. */
      readonly id?: string
      readonly title?: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly nominationsOpenAt?: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly nominationsCloseAt?: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly votingOpensAt?: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly votingClosesAt?: string
      /** Markdown. */
      readonly description?: string
      /** An address elsewhere, or of own media of the kind `award_image`; null for none. */
      readonly bannerUrl?: string | null
      /** Null: by hand. */
      readonly publishAt?: string | null
      readonly rules?: {
        /** Accounts from before then take part; `votingOpensAt` at the latest. */
        readonly accountBefore?: string
        /** On which ranking platform voters need a verified account. Default: `either`. */
        readonly link?: 'ranking-a' | 'ranking-b' | 'either' | 'none'
        /** Links verified before then count; unset, it is `accountBefore`. */
        readonly linkBefore?: string | null
        readonly minTournamentsPlayed?: number
        /** Whether users may nominate what is theirs. Default: no. */
        readonly selfNomination?: boolean
        /** Default: 3. */
        readonly nominationsPerCategory?: number
        /** What a tie at the first place comes to: all win, or a runoff. Default: `shared`. */
        readonly tie?: 'shared' | 'runoff'
        /** Whether results show numbers of votes. Default: yes. */
        readonly showCounts?: boolean
      }
    }
    readonly reply: Awards
  }
  /** Delete a draft with its categories. */
  readonly 'DELETE /awards/{edition}': {
    readonly query: {
      /** The `updatedAt` that the caller has seen. */
      readonly expectedUpdatedAt?: string
    }
    readonly body: undefined
    readonly reply: null
  }
  /** Have an edition come to its next phase, whatever its dates say, or cancel it. */
  readonly 'POST /awards/{edition}/status': {
    readonly query: Record<never, never>
    readonly body: {
      readonly status: 'draft' | 'nominating' | 'shortlisting' | 'voting' | 'counting' | 'published' | 'cancelled'
      /** Why; needed to cancel. */
      readonly reason?: string
    }
    readonly reply: Awards
  }
  /** Add a category to an edition, behind all others. */
  readonly 'POST /awards/{edition}/categories': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name: string
      readonly nomineeType: 'user' | 'tournament' | 'team' | 'map' | 'other'
      /** Markdown. */
      readonly description?: string
      /** Default: 10. */
      readonly shortlistSize?: number
      /** A badge that can be granted, for the winners; null for none. */
      readonly badgeGuid?: string | null
    }
    readonly reply: AwardCategory
  }
  /** Change a category; what is not given stays. */
  readonly 'PATCH /awards/{edition}/categories/{category}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly name?: string
      readonly nomineeType?: 'user' | 'tournament' | 'team' | 'map' | 'other'
      /** Markdown. */
      readonly description?: string
      /** Default: 10. */
      readonly shortlistSize?: number
      /** A badge that can be granted, for the winners; null for none. */
      readonly badgeGuid?: string | null
    }
    readonly reply: AwardCategory
  }
  /** Take a category out of a draft. */
  readonly 'DELETE /awards/{edition}/categories/{category}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Put the categories of an edition into an order. */
  readonly 'PUT /awards/{edition}/categories/order': {
    readonly query: Record<never, never>
    readonly body: {
      /** Of all categories of the edition, each once. */
      readonly guids: readonly string[]
    }
    readonly reply: {
      readonly guids: readonly string[]
    }
  }
  /** Nominate somebody or something in a category. */
  readonly 'POST /awards/{edition}/categories/{category}/nominations': {
    readonly query: Record<never, never>
    readonly body: {
      /** In categories of users, tournaments and teams: any identifier of a user, the GUID or id of a tournament, the GUID of a team. */
      readonly target?: string
      /** In categories of maps and other things: what is nominated. */
      readonly label?: string
      readonly link?: string | null
      /** For managers, without your name. */
      readonly reason?: string
    }
    readonly reply: Nomination
  }
  /** Take one’s own nomination back, while nominations are open. */
  readonly 'DELETE /awards/{edition}/categories/{category}/nominations/{nomination}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Make a nominee of a category, which nominations are merged into. */
  readonly 'POST /awards/{edition}/categories/{category}/nominees': {
    readonly query: Record<never, never>
    readonly body: {
      readonly label: string
      /** The record that it stands for, as for a nomination. Left out, it is the one that all merged nominations name. */
      readonly target?: string | null
      /** An address elsewhere, or of own media of the kind `award_image`; null for none. */
      readonly imageUrl?: string | null
      readonly link?: string | null
      /** Plain text. */
      readonly description?: string
      /** All nominations that it stands for; others stand alone again. */
      readonly nominations?: readonly string[]
    }
    readonly reply: Nominee
  }
  /** Change a nominee, or which nominations are merged into it; what is not given stays. */
  readonly 'PATCH /awards/{edition}/categories/{category}/nominees/{nominee}': {
    readonly query: Record<never, never>
    readonly body: {
      readonly label?: string
      /** The record that it stands for, as for a nomination. Left out, it is the one that all merged nominations name. */
      readonly target?: string | null
      /** An address elsewhere, or of own media of the kind `award_image`; null for none. */
      readonly imageUrl?: string | null
      readonly link?: string | null
      /** Plain text. */
      readonly description?: string
      /** All nominations that it stands for; others stand alone again. */
      readonly nominations?: readonly string[]
    }
    readonly reply: Nominee
  }
  /** Delete a nominee, until voting opens. */
  readonly 'DELETE /awards/{edition}/categories/{category}/nominees/{nominee}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Decline to stand, for oneself or for what one organises or leads. */
  readonly 'POST /awards/nominees/{nominee}/decline': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: DeclinedNomination
  }
  /** Vote for a nominee of a category, in place of the vote that you have there. */
  readonly 'PUT /awards/{edition}/categories/{category}/vote': {
    readonly query: Record<never, never>
    readonly body: {
      /** GUID of a nominee of the category. */
      readonly nomineeGuid: string
    }
    readonly reply: CastVote
  }
  /** Take your vote in a category back. */
  readonly 'DELETE /awards/{edition}/categories/{category}/vote': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Count again, and put right what differs from what was published. */
  readonly 'POST /awards/{edition}/recount': {
    readonly query: Record<never, never>
    readonly body: {
      /** Whether what differs is put right. Unset: no. */
      readonly apply?: boolean
      /** Required to apply; everybody can read it beside the results. */
      readonly reason?: string
    } | undefined
    readonly reply: AwardRecount
  }
  /** Leave the votes of a user out, while votes are counted. */
  readonly 'POST /admin/awards/{edition}/exclusions': {
    readonly query: Record<never, never>
    readonly body: {
      /** Any identifier of a user who voted. */
      readonly user: string
      /** Told to the user, and to whoever manages awards. */
      readonly reason: string
    }
    readonly reply: AwardExclusion
  }
  /** Count the votes of a user again who was left out, while votes are counted. */
  readonly 'DELETE /admin/awards/{edition}/exclusions/{user}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Say something to your votes having been left out, to those who manage the awards. */
  readonly 'POST /awards/{edition}/exclusion/answer': {
    readonly query: Record<never, never>
    readonly body: {
      /** Plain text. */
      readonly message: string
    }
    readonly reply: OwnAwardExclusion
  }
  /** Make the secret address of one’s own calendar, or put a new one in its place. */
  readonly 'POST /users/@me/calendarToken': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: CalendarAddress
  }
  /** Revoke the secret address of one’s own calendar. */
  readonly 'DELETE /users/@me/calendarToken': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Take up a delivery of an update or an announcement that failed. */
  readonly 'POST /tournaments/{tournament}/deliveries/{chatDelivery}/retry': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: UpdateDelivery
  }
  /** Tell the signed-in user on a device of what concerns them, or change how. */
  readonly 'POST /users/@me/pushDevices': {
    readonly query: Record<never, never>
    readonly body: {
      /** Of the browser’s subscription; https. */
      readonly endpoint: string
      /** Of the browser’s subscription, as base64url. */
      readonly keys: {
        readonly p256dh: string
        readonly auth: string
      }
      /** For its user to tell it by. */
      readonly name?: string | null
      /** Switches kinds on and off. Those that are not named stay as they are; on a new device, on. */
      readonly kinds?: {
        /** The user’s match is called. */
        readonly match_called?: boolean
        /** The user’s match starts within ten minutes. */
        readonly match_starting?: boolean
        /** In a session of the user, another seat says that it is ready. */
        readonly opponent_ready?: boolean
        /** A map may be accepted or contested, or a result was proposed at a match where the user decides. */
        readonly result_to_confirm?: boolean
        /** The user is invited to a team. */
        readonly invitation?: boolean
        /** The user is to work at a match or to stream, or that match starts within ten minutes. */
        readonly duty?: boolean
        /** A sheet that the user has not answered closes within a day. */
        readonly sheet_closing?: boolean
        /** The user’s registered team has fewer members than it needs. */
        readonly roster_problem?: boolean
      }
      /** When the device is told of nothing. null ends them; left out, they stay. */
      readonly quietHours?: QuietHours | null
    }
    readonly reply: PushDevice
  }
  /** Tell the signed-in user nothing more on a device. */
  readonly 'DELETE /users/@me/pushDevices/{pushDevice}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Delete the account of the signed-in user, for good. */
  readonly 'DELETE /users/@me': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Remove a person who has not signed in and does not want to stand here. */
  readonly 'DELETE /users/{user}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Make a tournament of a package. */
  readonly 'POST /tournaments/import': {
    readonly query: {
      /** `copy`: a draft of the caller, with new GUIDs. `restore`: the same tournament again, for owners and developers. */
      readonly mode?: 'copy' | 'restore'
      /** Short id of the copy, which needs one. */
      readonly id?: string
      /** Of a copy: `all` unless given; `setup` is what can be there before anybody signs up. */
      readonly parts?: 'all' | 'setup'
      /** Restore a package that is whole, but signed by a key that is not known here. */
      readonly trust?: boolean
      /** Does everything but keep it. */
      readonly dryRun?: boolean
    }
    readonly body: {
      /** `copy`: a draft of the caller, with new GUIDs. `restore`: the same tournament again, for owners and developers. */
      readonly mode?: 'copy' | 'restore'
      /** Short id of the copy, which needs one. */
      readonly id?: string
      /** Of a copy: `all` unless given; `setup` is what can be there before anybody signs up. */
      readonly parts?: 'all' | 'setup'
      /** Restore a package that is whole, but signed by a key that is not known here. */
      readonly trust?: boolean
      /** Does everything but keep it. */
      readonly dryRun?: boolean
    }
    readonly reply: ImportedPackage
  }
  /** Copy the tournament, to try things out unseen. */
  readonly 'POST /tournaments/{tournament}/rehearsals': {
    readonly query: Record<never, never>
    readonly body: {
      /** How staff tell it from other rehearsals. */
      readonly name: string
      /** The tournament as it is now, unless a package is sent. */
      readonly from?: 'now'
      /** Whether all results, sessions of match flows and qualifier attempts are taken back, so that everything can be played from the beginning. Teams keep their places and seeds, and matches their times. */
      readonly reset?: boolean
      /** The teams that will not appear: GUIDs of registered teams of the real tournament or of the package, in a form as JSON; or how many, which are then drawn. At least two must appear; none stay away unless given. */
      readonly noShows?: number | readonly string[]
      /** Where the clock of the rehearsal begins; now unless given. */
      readonly startsAt?: string
      /** What all draws come from; drawn unless given. */
      readonly seed?: string
    }
    readonly reply: Rehearsal
  }
  /** Give a rehearsal another name. */
  readonly 'PATCH /tournaments/{tournament}/rehearsals/{rehearsal}': {
    readonly query: Record<never, never>
    readonly body: {
      /** How staff tell it from other rehearsals. */
      readonly name: string
    }
    readonly reply: Rehearsal
  }
  /** Delete a rehearsal with everything in it. */
  readonly 'DELETE /tournaments/{tournament}/rehearsals/{rehearsal}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Let the clock of a rehearsal run, pause it, or move it on. */
  readonly 'POST /tournaments/{tournament}/rehearsals/{rehearsal}/clock': {
    readonly query: Record<never, never>
    readonly body: {
      /** How many of its seconds pass in a real one. */
      readonly rate?: number
      /** Whether its time stops. */
      readonly paused?: boolean
      /** Moves it on to this instant of its own; 400 days at most. */
      readonly advanceTo?: string
    }
    readonly reply: {
      readonly clock: RehearsalClock
      readonly ran: number
      readonly done: boolean
    }
  }
  /** Make what a rehearsal would send fail, come late or be limited. */
  readonly 'PUT /tournaments/{tournament}/rehearsals/{rehearsal}/faults': {
    readonly query: Record<never, never>
    readonly body: {
      readonly chat?: {
        /** `limit` is status 429. `ok` unless given; it may still be late. */
        readonly answer?: 'ok' | 'fail' | 'limit'
        /** Of `fail`; 503 unless given. */
        readonly status?: number
        /** By how much the first attempt is late. */
        readonly delaySeconds?: number
        /** How many seconds `limit` asks to wait; 0: it does not say. */
        readonly retryAfter?: number
        /** Of the attempts, drawn by the seed; 1 unless given. */
        readonly share?: number
      }
      readonly webhook?: {
        /** `limit` is status 429. `ok` unless given; it may still be late. */
        readonly answer?: 'ok' | 'fail' | 'limit'
        /** Of `fail`; 503 unless given. */
        readonly status?: number
        /** By how much the first attempt is late. */
        readonly delaySeconds?: number
        /** How many seconds `limit` asks to wait; 0: it does not say. */
        readonly retryAfter?: number
        /** Of the attempts, drawn by the seed; 1 unless given. */
        readonly share?: number
      }
      readonly mail?: {
        /** `limit` is status 429. `ok` unless given; it may still be late. */
        readonly answer?: 'ok' | 'fail' | 'limit'
        /** Of `fail`; 503 unless given. */
        readonly status?: number
        /** By how much the first attempt is late. */
        readonly delaySeconds?: number
        /** How many seconds `limit` asks to wait; 0: it does not say. */
        readonly retryAfter?: number
        /** Of the attempts, drawn by the seed; 1 unless given. */
        readonly share?: number
      }
      readonly notification?: {
        /** `limit` is status 429. `ok` unless given; it may still be late. */
        readonly answer?: 'ok' | 'fail' | 'limit'
        /** Of `fail`; 503 unless given. */
        readonly status?: number
        /** By how much the first attempt is late. */
        readonly delaySeconds?: number
        /** How many seconds `limit` asks to wait; 0: it does not say. */
        readonly retryAfter?: number
        /** Of the attempts, drawn by the seed; 1 unless given. */
        readonly share?: number
      }
      readonly push?: {
        /** `limit` is status 429. `ok` unless given; it may still be late. */
        readonly answer?: 'ok' | 'fail' | 'limit'
        /** Of `fail`; 503 unless given. */
        readonly status?: number
        /** By how much the first attempt is late. */
        readonly delaySeconds?: number
        /** How many seconds `limit` asks to wait; 0: it does not say. */
        readonly retryAfter?: number
        /** Of the attempts, drawn by the seed; 1 unless given. */
        readonly share?: number
      }
      readonly stream?: {
        /** `limit` is status 429. `ok` unless given; it may still be late. */
        readonly answer?: 'ok' | 'fail' | 'limit'
        /** Of `fail`; 503 unless given. */
        readonly status?: number
        /** By how much the first attempt is late. */
        readonly delaySeconds?: number
        /** How many seconds `limit` asks to wait; 0: it does not say. */
        readonly retryAfter?: number
        /** Of the attempts, drawn by the seed; 1 unless given. */
        readonly share?: number
      }
      readonly assistant?: {
        /** `limit` is status 429. `ok` unless given; it may still be late. */
        readonly answer?: 'ok' | 'fail' | 'limit'
        /** Of `fail`; 503 unless given. */
        readonly status?: number
        /** By how much the first attempt is late. */
        readonly delaySeconds?: number
        /** How many seconds `limit` asks to wait; 0: it does not say. */
        readonly retryAfter?: number
        /** Of the attempts, drawn by the seed; 1 unless given. */
        readonly share?: number
      }
      readonly lookup?: {
        /** `limit` is status 429. `ok` unless given; it may still be late. */
        readonly answer?: 'ok' | 'fail' | 'limit'
        /** Of `fail`; 503 unless given. */
        readonly status?: number
        /** By how much the first attempt is late. */
        readonly delaySeconds?: number
        /** How many seconds `limit` asks to wait; 0: it does not say. */
        readonly retryAfter?: number
        /** Of the attempts, drawn by the seed; 1 unless given. */
        readonly share?: number
      }
    }
    readonly reply: {
      readonly faults: RehearsalFaults
    }
  }
  /** Have simulated teams play a rehearsal, and its clock run with them. */
  readonly 'POST /tournaments/{tournament}/rehearsals/{rehearsal}/play': {
    readonly query: Record<never, never>
    readonly body: {
      /** How far everything is played: an instant of its clock, or `end`. */
      readonly until?: string
      /** GUIDs of matches of the rehearsal; only these are played. */
      readonly matches?: readonly string[]
      /** How many matches are played to their ends. */
      readonly count?: number
      /** The share of maps that a game crashes in, and that are played again; none unless given. */
      readonly crashRate?: number
      /** The share of appearances of teams that are late; none unless given. */
      readonly lateRate?: number
      /** The share of lost maps of which a replay is claimed, where a flow allows it; none unless given. */
      readonly claimRate?: number
    }
    readonly reply: PlayedRehearsal
  }
  /** Give the tournament some of what was tried in a rehearsal. */
  readonly 'POST /tournaments/{tournament}/rehearsals/{rehearsal}/apply': {
    readonly query: {
      /** Only tell what would happen. */
      readonly dryRun?: boolean
    }
    readonly body: {
      /** The `field` of each difference that is to be applied. */
      readonly fields: readonly string[]
      /** The `updatedAt` of the differences that the caller has seen; for settings, that of the record also does. */
      readonly expectedUpdatedAt: string
      /** The same as in the query. */
      readonly dryRun?: boolean
    }
    readonly reply: {
      /** Nothing was changed: this is what would be. */
      readonly dryRun: boolean
      /** With what the tournament had before. */
      readonly applied: readonly RehearsalDifference[]
    }
  }
  /** Close one of the signed-in user’s sockets or streams. */
  readonly 'DELETE /realtime/connections/{connection}': {
    readonly query: Record<never, never>
    readonly body: undefined
    readonly reply: null
  }
  /** Make a ticket to connect with, for clients that can set no header. */
  readonly 'POST /realtime/tickets': {
    readonly query: Record<never, never>
    readonly body: {
      /** What alone may be followed with it, without commands; anything unless given. */
      readonly topics?: readonly string[]
    } | undefined
    readonly reply: {
      readonly ticket: string
      /** ISO 8601 instant; UTC with milliseconds in answers. */
      readonly expiresAt: string
    }
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
  /** How the preferred name is spoken. */
  readonly pronunciation: string | null
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
  readonly access: StandingAccess
  /** Newest first; at most 20. */
  readonly emailVerificationRequests: readonly EmailVerification[]
  /** Match assistants that the user controls now. A ban frees them for other operators. */
  readonly controlledAssistants: number
  /** The oldest first; `key` is for the user’s own tokens of the website alone. */
  readonly streamKeys: readonly StreamKey[]
  /** Streams of the user that are live now. A ban cuts them. */
  readonly liveStreams: number
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
    readonly pronunciation: string | null
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
    readonly packages: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly packageNames: {
      /** There is more than the newest 10000 records. */
      readonly truncated: boolean
      /** Newest first. */
      readonly records: readonly Readonly<Record<string, unknown>>[]
    }
    readonly rehearsals: {
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
  /** How the preferred name is spoken. */
  readonly pronunciation: string | null
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

export interface AnnouncementsToTest {
  /** All kinds unless given. */
  readonly kinds?: readonly ('match_called' | 'match_started' | 'match_finished' | 'round_ready' | 'schedule_changed' | 'registration_opened' | 'registration_closing' | 'team_registered' | 'bracket_published' | 'pool_published' | 'stream_live' | 'placements')[]
  /** Whether they are sent; false unless given. */
  readonly send?: boolean
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

/** How connecting by a link went. */
export interface AssistantLinkTest {
  /** Whether the tournament could be joined. */
  readonly ok: boolean
  readonly serverVersion: number | null
  /** That the assistant tells of. */
  readonly tournaments: readonly {
    readonly guid: string
    readonly name: string
  }[]
  /** That it gives us. */
  readonly permissions: readonly string[]
  /** Empty where nothing was joined. */
  readonly missing: {
    /** Without one of these there are no sessions. */
    readonly needed: readonly string[]
    /** What needs one of these is left out. */
    readonly wished: readonly string[]
  }
  /** Qualifiers of its tournament. */
  readonly events: readonly {
    readonly guid: string
    readonly name: string
    /** How many. */
    readonly maps: number
  }[]
  readonly durationMs: number
  readonly error: {
    readonly code: string
    readonly message: string
  } | null
}

export interface AssistantPush {
  readonly added: number
  readonly updated: number
  readonly removed: number
  readonly unchanged: number
  readonly failed: readonly {
    /** null: the name of the pool. */
    readonly map: string | null
    readonly code: string
  }[]
}

/** A token for assistants’ servers; nothing here takes it. */
export interface AssistantToken {
  readonly token: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly expiresAt: string
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

/** A sheet of mode `matches` needs `matchGuids`, one of mode `days` `windows`, and one of mode `range` `startsAt` and `endsAt`; what belongs to another mode is ignored. */
export interface AvailabilitySheetInput {
  /** `staff` unless given. */
  readonly audience?: 'staff' | 'teams'
  /** `registered` asks registered teams that are not qualified; `both` unless given. */
  readonly teamEligibility?: 'registered' | 'qualified' | 'both'
  /** Of the slots that teams answer; staff answer quarters of an hour whatever it is. */
  readonly slotMinutes?: 15 | 30 | 60
  /** All four unless given. */
  readonly acceptedStatuses?: readonly ('available' | 'maybe' | 'unavailable' | 'would_rather_not')[]
  readonly title: string
  /** In Markdown. */
  readonly description?: string | null
  /** `matches` is for staff alone. */
  readonly mode: 'matches' | 'days' | 'range'
  /** Whom a sheet for staff asks; every role unless given. Empty for teams. */
  readonly roles?: readonly ('role:admin' | 'role:staff' | 'role:coordinator' | 'role:hcoordinator' | 'role:pooler' | 'role:hpooler' | 'role:caster' | 'role:hcaster' | 'role:host' | 'role:referee')[]
  /** IANA name of the zone in which the sheet is written. */
  readonly timezone: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly closesAt?: string | null
  readonly matchGuids?: readonly string[]
  /** From quarter to quarter of an hour, without overlaps. */
  readonly windows?: readonly {
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly startsAt: string
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly endsAt: string
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

export interface AwardRecount {
  /** Whether the ballots are those that the sealed votes come to; null once the votes were deleted. */
  readonly agrees: boolean | null
  /** None before publication. */
  readonly differences: readonly RecountDifference[]
  /** Of what was counted now; null before publication, and where counts are withheld. */
  readonly ballotsDigest: string | null
  /** Whether the results were corrected. */
  readonly applied: boolean
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

export interface BracketLosses {
  /** Nothing was deleted: this is what would be. */
  readonly dryRun: boolean
  /** Byes are not counted. */
  readonly matches: number
  readonly results: number
  /** Matches that are played now. */
  readonly running: number
  /** Matches that have a time. */
  readonly scheduled: number
  /** Corrections of its results that were not undone. */
  readonly corrections: number
  /** Places of its matches in queues of channels. */
  readonly queued: number
}

export interface BridgeTicket {
  /** Shown this once. */
  readonly ticket: string
  /** What the player opens on the machine of their game. */
  readonly address: string
  readonly user: UserCard
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly expiresAt: string
}

export interface CalendarAddress {
  /** For calendar programs to subscribe to. */
  readonly address: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
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

/** A vote as it was taken. */
export interface CastVote {
  /** GUID, in lower case in answers. */
  readonly categoryGuid: string
  /** GUID, in lower case in answers. */
  readonly nomineeGuid: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly castAt: string
}

export interface CategoryResult {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly name: string
  /** The best first. */
  readonly nominees: readonly AwardPlace[]
}

export interface Claim {
  /** GUID, in lower case in answers. */
  readonly guid: string
  /** GUID, in lower case in answers. */
  readonly placeholderGuid: string
  /** GUID, in lower case in answers. */
  readonly userGuid: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly claimedAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly undoableUntil: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly undoneAt: string | null
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

export interface DeclinedNomination {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly label: string
  /** GUID, in lower case in answers. */
  readonly editionGuid: string
  readonly category: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string
  }
  readonly declined: boolean
}

/** RFC 8628 §3.2. */
export interface DeviceAuthorization {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  /** Seconds. */
  readonly expires_in: number
  /** Seconds to leave between two questions. */
  readonly interval: number
}

export interface Division {
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

/** What is on its way after an address was given. */
export interface EmailRequest {
  readonly email: string
  /** Until when the link in the mail counts; null where the address was verified before. */
  readonly expiresAt: string | null
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

export interface Estimate {
  readonly runs: number
  /** With the same seed the same question has the same answer. */
  readonly seed: string
  /** What the durations of the most frequent best-of come from: past matches of this tournament (`own`), those of the organiser’s tournaments (`past`), or, with fewer than three of these, 10 minutes for each game (`default`). */
  readonly basis: {
    readonly durations: 'own' | 'past' | 'default'
    /** The number of past matches. */
    readonly matches: number
  }
  /** In the order of `noShows`. */
  readonly scenarios: readonly {
    readonly teams: number
    readonly noShows: number
    /** Matches that are played, without byes and walkovers. */
    readonly matches: {
      readonly p50: number
      readonly p90: number
    }
    /** From the start of the first match to the end of the last: in half of the runs, and in nine of ten. */
    readonly hours: {
      readonly p50: number
      readonly p90: number
    }
    readonly channels: readonly {
      /** How long the channel is in use. */
      readonly hours: {
        readonly p50: number
        readonly p90: number
      }
      /** The median. */
      readonly matches: number
    }[]
    /** How long a team waits between two matches that it plays. */
    readonly waitMinutes: {
      readonly p50: number
      readonly p90: number
      readonly most: number
    }
    /** How often a team plays again within five minutes. */
    readonly backToBacks: {
      readonly p50: number
      readonly p90: number
    }
  }[]
}

export interface ExcludedVotes {
  /** Votes that do not count. */
  readonly votes: number
  /** How many for which class of reasons: a failed check of who may vote, `manager` for votes that managers left out, `nominee_declined` for those whose nominee declined. */
  readonly byReason: Readonly<Record<string, unknown>>
}

export interface FlowInput {
  readonly seats?: number
  /** Odd; unset for any. */
  readonly bestOf?: 1 | 3 | 5 | 7 | 9 | 11 | 13 | 15 | 17 | 19 | 21 | 23 | 25 | 27 | 29 | 31 | 33 | 35 | 37 | 39 | 41 | 43 | 45 | 47 | 49 | 51 | 53 | 55 | 57 | 59 | 61 | 63 | 65 | 67 | 69 | 71 | 73 | 75 | 77 | 79 | 81 | 83 | 85 | 87 | 89 | 91 | 93 | 95 | 97 | 99 | null
  /** Orders that are chosen. */
  readonly pairs?: readonly string[]
  readonly rules?: FlowRulesInput
  /** Steps, and blocks `{repeat, steps}` or `{each, steps}`, at most two within each other: 60 as they are written, 300 as they are taken, and the whole flow 64 KiB as JSON with all its members. */
  readonly steps: readonly unknown[]
}

export interface FlowMove {
  /** `act`: what the step asks for. `result`: the map is played, and nobody claims a replay. `lapse`: the time of the step runs out. `skip`: a referee passes a step in which nobody can act. */
  readonly kind: 'act' | 'result' | 'lapse' | 'skip'
  /** Who acts. */
  readonly seat?: number | null
  /** Of the pool, from 1. */
  readonly map?: number | null
  readonly flair?: string | null
  readonly pair?: string | null
  readonly place?: number | null
  readonly rolls?: readonly number[] | null
  /** Of a result; unset where the map ends level. */
  readonly winner?: number | null
}

export interface FlowPlanInput {
  /** Of the plan that this one takes the place of; 0 for the first. */
  readonly revision: number
  /** GUID of a flow of the tournament, or name of a preset. */
  readonly default?: string | null
  readonly brackets?: readonly {
    /** GUID, in lower case in answers. */
    readonly bracketGuid: string
    /** GUID of a flow of the tournament, or name of a preset. */
    readonly flowGuid?: string | null
    /** By `section:round`. */
    readonly rounds?: Readonly<Record<string, string>>
  }[]
  readonly matches?: readonly {
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

export interface FlowRulesInput {
  /** `best_of` of the match, or all of so many maps. */
  readonly play?: {
    readonly mode: 'best_of' | 'play_all'
    /** Of `play_all`. */
    readonly maps?: number
  }
  readonly map?: {
    readonly by?: 'score' | 'accuracy' | 'misses'
    readonly team?: 'sum' | 'mean' | 'top'
    /** Of `top`: of how many players the scores count. */
    readonly top?: number | null
    /** Of a line-up; unset, as many as teams play with. */
    readonly players?: number | null
  }
  /** Whether positive modifiers may be played with: scores above the maximum of a map are held for a referee under `none`, those above twice the maximum under `any`, which is the default. */
  readonly modifiers?: 'any' | 'none'
  /** Completions that count 0. */
  readonly zero?: readonly ('failed' | 'quit')[]
  /** Longer pauses are for referees to judge. */
  readonly pauseLimitSeconds?: number | null
  /** How a level map is settled, in this order; then a referee decides. */
  readonly tie?: readonly ('best_player' | 'fewer_misses' | 'replay' | 'other_map' | 'void')[]
  /** At most so many for a level map. */
  readonly tieReplays?: number
  /** Of `play_all`. */
  readonly decide?: 'score_sum' | 'wins' | 'points'
  /** By place. */
  readonly points?: readonly number[]
  readonly replays?: {
    readonly rule?: 'none' | 'better_of_each' | 'score_to_beat' | 'last_counts'
    readonly perMatch?: number
    readonly perMap?: number
    readonly by?: 'team' | 'player'
    /** In which a replay may be claimed. */
    readonly windowSeconds?: number
  }
  readonly technical?: {
    /** For each seat; unset, without limit. */
    readonly perMatch?: number | null
    readonly counts?: 'replace' | 'better'
  }
  readonly timeouts?: {
    /** For each seat and session. */
    readonly count?: number
    readonly seconds?: number
  }
  /** Penalties that are proposed to referees. */
  readonly late?: readonly {
    readonly afterMinutes: number
    readonly type: 'warning' | 'score_zero' | 'map_loss' | 'lose_bans' | 'lose_protects' | 'lose_replays' | 'lose_timeouts' | 'exclude' | 'points' | 'match_forfeit'
  }[]
  readonly lineup?: {
    readonly changes?: 'per_map' | 'per_match'
  }
  readonly protects?: 'opponents' | 'everybody'
  readonly speakers?: 'captain' | 'members'
  /** Between the end of a clock and its lapse. */
  readonly graceSeconds?: number
  /** In which speakers may take back their last choice, unless it has shown what others chose or had something drawn. */
  readonly selfUndoSeconds?: number
  /** By which outsiders see it later. */
  readonly viewDelaySeconds?: number
  /** Last places that are out, in sessions without a match. */
  readonly eliminate?: number
}

export interface FlowSimulation {
  /** How many of the moves were possible. */
  readonly taken: number
  /** Why the next one was not. */
  readonly refused: string | null
  readonly phase: 'starting' | 'choosing' | 'waiting' | 'playing' | 'window' | 'referee' | 'decided' | 'over'
  /** Why a referee would be needed. */
  readonly stuck: string | null
  readonly turn: {
    readonly step: string
    readonly label: string | null
    readonly action: 'roll' | 'choose' | 'protect' | 'ban' | 'pick' | 'random' | 'tiebreaker' | 'flair_pick' | 'flair_ban' | 'lineup' | 'ready' | 'break' | 'play'
    readonly actor: 'seats' | 'referee' | 'system'
    /** That have not answered yet. */
    readonly seats: readonly number[]
    /** That may be chosen. */
    readonly maps: readonly number[]
    readonly flairs: readonly string[]
    /** That may be chosen. */
    readonly pairs: readonly string[]
    readonly secret: boolean
    readonly game: number | null
    /** Of the pool, from 1. */
    readonly map: number | null
  } | null
  /** Of the clock that runs. */
  readonly seconds: number | null
  readonly scoreline: readonly number[]
  readonly seats: readonly {
    readonly seat: number
    readonly roll: number | null
    /** By pair. */
    readonly places: Readonly<Record<string, number>>
  }[]
  readonly maps: readonly {
    readonly map: number
    readonly state: 'available' | 'banned' | 'protected' | 'picked' | 'tiebreaker' | 'playing' | 'played' | 'void'
    readonly seat: number | null
    readonly game: number | null
    readonly winner: number | null
  }[]
  readonly winner: number | null
  /** All that happened, the oldest first. */
  readonly log: readonly {
    readonly position: number
    readonly kind: string
    /** As it is written. */
    readonly step: string | null
    readonly seat: number | null
    /** Of the pool, from 1. */
    readonly map: number | null
    readonly rolls: readonly (number | null)[]
    readonly pair: string | null
    readonly place: number | null
    readonly flair: string | null
    readonly winner: number | null
    /** What came of a lapse. */
    readonly result: string | null
    /** Why a step was passed. */
    readonly why: string | null
  }[]
}

export interface FlowVerdict {
  /** There are no errors. */
  readonly valid: boolean
  readonly problems: readonly FlowProblem[]
  /** null where a best of is missing, or the flow may have no end. Turns that are passed are counted. */
  readonly worstCase: {
    readonly maps: number | null
    readonly steps: number | null
    readonly seconds: number | null
  }
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

/** That a user holds a badge, or held it until it was revoked. */
export interface Grant {
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
  readonly badge: {
    /** GUID, in lower case in answers. */
    readonly guid: string
    readonly name: string
  }
  /** Among what its holder put first. */
  readonly position: number | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly revokedAt: string | null
  readonly revokeReason: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
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

export interface ImportedBadges {
  /** Badges that are new. */
  readonly made: readonly {
    /** null in a dry run, of what is not there yet. */
    readonly guid: string | null
    readonly name: string
    /** Plain text. */
    readonly description: string
  }[]
  readonly granted: readonly {
    /** GUID, in lower case in answers. */
    readonly userGuid: string
    /** null in a dry run, of what is not there yet. */
    readonly badgeGuid: string | null
    readonly name: string
  }[]
  readonly skipped: readonly {
    /** As they were named, or their GUID. */
    readonly user: string
    /** `nothing_new`: they have no badge there that they were not given before. */
    readonly why: 'unknown' | 'not_linked' | 'nothing_new'
  }[]
  /** Users of whom the platform told nothing, or a picture could not be had; nothing of theirs has changed. */
  readonly failed: readonly string[]
}

export interface ImportedGrants {
  readonly granted: readonly {
    /** 1 is the first behind the header. */
    readonly row: number
    /** null in a dry run, of what is not there yet. */
    readonly guid: string | null
    readonly badge: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly name: string
    }
    /** GUID, in lower case in answers. */
    readonly userGuid: string
    /** What is written beside it. */
    readonly label: string | null
    readonly place: number | null
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly awardedAt: string
  }[]
  /** Users who hold the badge of one of their rows already. */
  readonly alreadyHeld: readonly string[]
  readonly errors: readonly {
    /** 1 is the first behind the header. */
    readonly row: number
    readonly reason: string
  }[]
}

export interface ImportedPackage {
  /** null after a dry run. */
  readonly tournament: Tournament | null
  readonly mode: 'copy' | 'restore'
  readonly signer: {
    /** `unknown`: the package is whole, by a key that is not known here. */
    readonly state: 'known' | 'unknown' | 'unsigned'
    /** The thumbprint of the key. (RFC 7638) */
    readonly kid: string | null
    /** The service that the key belongs to, if it is known. */
    readonly name: string | null
  }
  /** Rows by kind. */
  readonly counts: Readonly<Record<string, unknown>>
  /** Of a copy: the new GUID of each old one. */
  readonly guids: Readonly<Record<string, unknown>>
  readonly people: readonly {
    /** In the package. */
    readonly guid: string
    /** GUID, in lower case in answers. */
    readonly user: string
    readonly state: 'account' | 'placeholder'
  }[]
  /** What was left out: this release does not know it, or it lacks what it needs or names. */
  readonly skipped: readonly {
    readonly path: string
    /** null for a whole file. */
    readonly member: string | null
    /** How many rows that concerns. */
    readonly rows: number
  }[]
  /** Media that were written anew. */
  readonly changed: readonly {
    readonly path: string
    readonly why: string
  }[]
  /** Kinds that an import of this mode never gives. */
  readonly notTaken: readonly string[]
}

/** RFC 7662 §2.2. */
export interface Introspection {
  readonly active: boolean
  /** Space-separated, as granted. */
  readonly scope?: string
  readonly client_id?: string
  readonly username?: string
  readonly token_type?: string
  readonly exp?: number
  readonly iat?: number
  readonly nbf?: number
  readonly sub?: string
  readonly aud?: string
  readonly iss?: string
  readonly jti?: string
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

export interface MadeClaimLink {
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
  /** The secret of `/claims/{token}`. It is shown only here. */
  readonly token: string
}

/** A view token, with what is shown of it once. */
export interface MadeViewToken {
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
  /** The token itself, which is not shown again. */
  readonly token: string
  /** The page with this token, for broadcasting programs. */
  readonly url: string
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

export interface NewBracket {
  readonly name: string
  readonly format: 'single_elimination' | 'double_elimination' | 'round_robin' | 'swiss'
  /** What the format does not read, and what is not known, is refused. */
  readonly settings?: {
    /** Games at most; odd, 3 unless given. */
    readonly bestOf?: number
    /** Games at most, by `section:round`; odd. */
    readonly bestOfByRound?: Readonly<Record<string, number>>
    readonly seedOrdering?: 'standard' | 'natural' | 'manual'
    /** Single elimination: a match for the third place. */
    readonly thirdPlace?: boolean
    /** Double elimination; `reset` unless given. */
    readonly grandFinal?: 'none' | 'single' | 'reset'
    /** Round robin. */
    readonly groups?: number
    /** Round robin: 1 or 2. */
    readonly legs?: number
    /** Round robin: how seeds fill the groups. */
    readonly distribution?: 'snake' | 'sequential'
    /** Round robin and Swiss; 3, 1 and 0. */
    readonly points?: {
      readonly win: number
      readonly draw: number
      readonly loss: number
    }
    /** Round robin and Swiss. */
    readonly allowDraws?: boolean
    /** Swiss; as many as it takes for one winner, unless given. */
    readonly rounds?: number
    /** Swiss; as many as for a win, unless given. */
    readonly byePoints?: number
    /** Swiss; true unless given. */
    readonly avoidRematches?: boolean
    /** In the order in which they are asked. */
    readonly tieBreakers?: readonly ('points' | 'head_to_head' | 'game_difference' | 'games_won' | 'buchholz' | 'median_buchholz' | 'sonneborn_berger' | 'score_total' | 'seed')[]
  }
  /** Brackets of a division are listed by it. */
  readonly order?: number
  readonly entrants: {
    /** Registered teams are those that are registered or qualified; they enter by seed, then by when they registered. */
    readonly source: 'registered' | 'qualified' | 'manual' | 'bracket'
    /** For `manual`: the teams, the best first. */
    readonly teamGuids?: readonly string[]
    /** For `bracket`: the completed bracket whose places enter. In eliminations, teams of one group meet as late as the tree allows. */
    readonly from?: {
      /** GUID, in lower case in answers. */
      readonly bracketGuid: string
      /** In the order in which they enter; of several groups each gives its team of that place. */
      readonly places: readonly number[]
      /** After `tie.undecided`: all of the tied teams, the best first. */
      readonly order?: readonly string[]
      /** Why the teams are ordered so; it stands in the log. */
      readonly reason?: string
      /** Draws the order of the tied teams by the seed to which `tie.undecided` has committed. The same tie is always drawn alike. A dry run draws nothing, and leaves these places empty. */
      readonly draw?: boolean
    }
    /** At most so many of them; with `manual`, places beyond the teams stay empty. */
    readonly size?: number
  }
}

export interface NewBracketWithMatches {
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
  /** Matches of the first round between teams of one group, where that cannot be avoided. */
  readonly rematches?: readonly {
    /** Of the match. */
    readonly number: number
    /** Where they have met, from 0. */
    readonly groupIndex: number
    readonly teams: readonly TeamReference[]
  }[]
}

export interface NewFlow {
  readonly name: string
  /** Name of a preset. */
  readonly basedOn?: string | null
  readonly seats?: number
  /** Odd; unset for any. */
  readonly bestOf?: 1 | 3 | 5 | 7 | 9 | 11 | 13 | 15 | 17 | 19 | 21 | 23 | 25 | 27 | 29 | 31 | 33 | 35 | 37 | 39 | 41 | 43 | 45 | 47 | 49 | 51 | 53 | 55 | 57 | 59 | 61 | 63 | 65 | 67 | 69 | 71 | 73 | 75 | 77 | 79 | 81 | 83 | 85 | 87 | 89 | 91 | 93 | 95 | 97 | 99 | null
  /** Orders that are chosen. */
  readonly pairs?: readonly string[]
  readonly rules?: FlowRulesInput
  /** Steps, and blocks `{repeat, steps}` or `{each, steps}`, at most two within each other: 60 as they are written, 300 as they are taken, and the whole flow 64 KiB as JSON with all its members. */
  readonly steps?: readonly unknown[]
}

export interface NewImport {
  /** Where the maps are named; a form has the part `file` in its place. */
  readonly source?: {
    readonly kind: 'text'
    /** Each names a map, and behind it a difficulty and a characteristic where they are known, or is a link to a playlist; at most 500 that are not empty. */
    readonly lines: readonly string[]
  } | {
    readonly kind: 'playlist'
    /** A link to a playlist in the map catalogue. */
    readonly url?: string
    /** A `.bplist` file, parsed: in place of the link. */
    readonly playlist?: Readonly<Record<string, unknown>>
  } | {
    readonly kind: 'pool'
    /** GUID of a pool of any tournament that the caller may read. */
    readonly poolGuid: string
  }
  /** Of maps that are named without one: `ask` (unless it is given) tells which there are, `highest` takes the highest. */
  readonly difficulty?: 'ask' | 'highest' | 'Easy' | 'Normal' | 'Hard' | 'Expert' | 'ExpertPlus'
  /** What the maps carry, unless their pool gives them a flair that is here too. */
  readonly flairGuid?: string | null
  /** Hashes that the catalogue does not have are added, and marked; true unless given. */
  readonly keepMissing?: boolean
  /** Only tells what would be added. */
  readonly dryRun?: boolean
  /** Needed once the pool is published: everybody reads it among the changes. */
  readonly reason?: string | null
}

export interface NewPlatform {
  /** Short id: 1 to 32 letters, digits and hyphens, kept in lower case. */
  readonly contextId: string
  readonly name: string
  /** Markdown. */
  readonly description: string
  /** Empty for none. */
  readonly imageUrl: string
  readonly websiteUrl?: string | null
}

/** A media server, with its secret. */
export interface NewStreamServer {
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
  /** Since when it is of no use. */
  readonly controlFailingSince: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
  /** What the server proves itself with. Shown this once. */
  readonly secret: string
}

export interface NewTournament {
  readonly name: string
  /** Short id. */
  readonly id: string
  /** Plain text. */
  readonly summary?: string | null
  /** What the tournament is, in Markdown. */
  readonly description?: string | null
  /** The rules, in Markdown. */
  readonly rules?: string | null
  /** What is to be won, in Markdown. */
  readonly prizes?: string | null
  /** Address of the logo. */
  readonly imageUrl?: string | null
  /** Address of the banner. */
  readonly bannerUrl?: string | null
  /** IANA name. */
  readonly timezone?: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly registrationOpensAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly registrationClosesAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly rosterLocksAt?: string | null
  /** Players of a team, and how many of them are on the field; what is not given stays. */
  readonly teamSize?: {
    readonly min?: number
    readonly max?: number
    readonly active?: number
  }
  /** Registered teams at most; null for no limit. */
  readonly capacity?: number | null
  readonly publicRegistration?: boolean
  /** What players must fulfil; replaces all earlier requirements. */
  readonly requirements?: {
    /** ISO 3166-1 alpha-2 codes, and `XK`. */
    readonly countries?: readonly string[] | null
    readonly rankA?: {
      readonly min?: number | null
      readonly max?: number | null
    } | null
    readonly rankB?: {
      readonly min?: number | null
      readonly max?: number | null
    } | null
    readonly rankingA?: boolean | null
    readonly rankingB?: boolean | null
    readonly emailVerified?: boolean | null
    readonly chatAccountAgeDays?: number | null
    readonly verifiedLinks?: boolean | null
  }
  /** Questions to those who register; replaces the earlier ones. A field that keeps its GUID keeps its answers. All together have at most 32000 characters, as the record shows them in JSON. */
  readonly additionalFields?: readonly {
    /** GUID, in lower case in answers. */
    readonly guid?: string
    readonly label: string
    readonly help?: string | null
    readonly type: 'text' | 'number' | 'select' | 'map' | 'boolean'
    readonly required?: boolean
    readonly options?: readonly string[]
    readonly subject?: 'team' | 'player'
    /** Answers are shown to staff alone; those that are given while it is so, ever after. */
    readonly private?: boolean
  }[]
  /** What is not given stays. */
  readonly links?: {
    /** Address of an invitation to the chat. */
    readonly chatInvite?: string | null
    /** Address of the website. */
    readonly website?: string | null
    /** Address of the stream. */
    readonly stream?: string | null
    /** Address of the rules. */
    readonly rulesUrl?: string | null
  }
  /** Webhook of the chat channel that updates go to. Never returned. */
  readonly chatWebhookUrl?: string | null
  /** Webhooks of further chat channels; replaces all earlier ones. */
  readonly chatWebhooks?: readonly {
    readonly label: string
    /** Never returned; without it, the label keeps its address. */
    readonly url?: string
  }[]
  /** What the chat is told by itself: for each kind `off`, `main` (the tournament’s webhook) or the label of a further webhook. What is not given stays. */
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
  /** IDs of the chat’s roles that are mentioned in messages of a kind; nobody else ever is. What is not given stays. */
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
  /** BCP 47, of the texts that the service writes for the tournament. */
  readonly language?: string
  /** How far the stream is behind the matches: by so much, or by the longest delay of its channels, results are late for whoever asks for them with `delayed`. */
  readonly streamDelaySeconds?: number
  /** Who may follow scores while a map is played: everybody who sees the match, or the staff alone. */
  readonly liveScores?: 'public' | 'staff'
  /** With `held`, everybody but the staff sees the competition as late as the stream is, asked for or not, and players their own matches as they are now. It cannot hold back what people write, stream or reschedule. With `open`, only viewers who ask for it with `delayed` do. */
  readonly spoilerMode?: 'open' | 'held'
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

export interface OwnAwardExclusion {
  readonly reason: string
  /** What the user says to it; null where they have said nothing. */
  readonly answer: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly answeredAt: string | null
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
  readonly html?: RenderedDescription
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
  /** How many requests wait for a decision there. */
  readonly waiting: number
}

export interface OwnStream {
  /** Let in without an assignment. */
  readonly test: boolean
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly since: string
  readonly health: StreamHealth | null
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
  readonly html?: RenderedDescription
  readonly counts: {
    /** On its public list. */
    readonly tournaments: number
  }
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly createdAt: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly updatedAt: string
}

export interface PlatformChanges {
  readonly name?: string
  /** Markdown. */
  readonly description?: string
  /** Empty for none. */
  readonly imageUrl?: string
  readonly websiteUrl?: string | null
}

/** A member of a platform’s review team. */
export interface PlatformMember {
  readonly user: UserCard
  readonly role: 'admin' | 'reviewer'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly addedAt: string
}

export interface PlatformMemberChange {
  /** GUID, chat-platform ID or linked ranking ID of the user, or `@me`. */
  readonly userIdentifier: string
  readonly role: 'admin' | 'reviewer'
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

export interface PlatformSettingsChanges {
  /** Webhook of a channel on the chat platform. An empty text removes it. */
  readonly chatWebhookUrl?: string
  /** Address that events are posted to, over https. An empty text removes it. */
  readonly customWebhookUrl?: string
  /** Signs what is posted to the custom webhook; base64 behind `whsec_`, or any text. Never returned. An empty text removes it. */
  readonly customWebhookSecret?: string
  /** All that is to be delivered. */
  readonly webhookEvents?: readonly ('visibility_requested' | 'visibility_approved' | 'visibility_rejected' | 'visibility_blocked' | 'visibility_withdrawn' | 'member_added' | 'member_removed')[]
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

export interface PlayedRehearsal {
  /** The matches that ended, in that order. */
  readonly played: readonly {
    /** Short id. */
    readonly division: string
    readonly number: number
    readonly outcome: 'score' | 'walkover' | 'double_forfeit' | 'draw' | 'bye' | null
    /** Of both sides. */
    readonly scores: readonly (number | null)[]
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly startedAt: string | null
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly completedAt: string | null
  }[]
  readonly clock: RehearsalClock
  /** Whether it was played as far as asked for; otherwise the same call goes on. */
  readonly done: boolean
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

export interface PoolPlanInput {
  /** Of the plan that this one takes the place of; 0 for the first. */
  readonly revision: number
  /** GUID, in lower case in answers. */
  readonly default?: string | null
  readonly brackets?: readonly {
    /** GUID, in lower case in answers. */
    readonly bracketGuid: string
    /** GUID, in lower case in answers. */
    readonly poolGuid?: string | null
    /** GUIDs of pools, by `section:round`. */
    readonly rounds?: Readonly<Record<string, string>>
  }[]
  readonly matches?: readonly {
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

export interface QualifierInput {
  readonly status?: 'draft' | 'open' | 'closed' | 'final'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly opensAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly closesAt?: string | null
  /** Of a player on each map; 0 for no limit. */
  readonly attempts?: number
  readonly hideScores?: boolean
  readonly method?: 'average_accuracy' | 'sum_of_scores' | 'sum_of_ranks' | 'weighted_accuracy' | 'percent_of_best' | 'z_sum' | 'points_per_place' | 'top_players'
  /** With `any`, the usual, a score may be twice the highest that the map allows, since modifiers such as Faster Song raise it; with `none`, no more than that. It is judged as attempts are recorded. */
  readonly modifiers?: 'any' | 'none'
  /** How the method counts. Each member that is left out stays as it is, in a new qualifier as is usual; `points` are replaced as a whole. */
  readonly settings?: {
    readonly countMaps?: number | null
    readonly topPlayers?: number | null
    readonly points?: readonly number[]
    readonly missing?: 'zero' | 'last'
    readonly failCounts?: boolean
  }
  /** How many teams advance. */
  readonly cutoff?: number | null
  /** An address from which results are fetched, as JSON or CSV. Kept secret; `configured` leaves it as it is. */
  readonly syncUrl?: string | null
  /** All of them: those that are left out are removed. */
  readonly maps?: readonly {
    /** GUID, in lower case in answers. */
    readonly guid?: string
    /** 40 hexadecimal digits. */
    readonly hash: string
    readonly difficulty: string
    /** `Standard` unless given. */
    readonly characteristic?: string
    readonly name?: string | null
    readonly artist?: string | null
    readonly mapper?: string | null
    readonly imageUrl?: string | null
    /** The highest score that the map allows without modifiers: accuracies are measured by it. */
    readonly maxScore?: number | null
    /** 1 unless given. */
    readonly weight?: number
    /** As listed unless given. */
    readonly order?: number
  }[]
}

export interface QualifierMapsFromPool {
  readonly qualifier: Qualifier
  readonly added: readonly {
    /** GUID, in lower case in answers. */
    readonly guid: string
    /** Of the map’s files, in lower case. */
    readonly hash: string
    readonly difficulty: string
    readonly characteristic: string
    readonly name: string | null
  }[]
  readonly removed: readonly {
    /** GUID, in lower case in answers. */
    readonly guid: string
    /** Of the map’s files, in lower case. */
    readonly hash: string
    readonly difficulty: string
    readonly characteristic: string
    readonly name: string | null
  }[]
  /** Others in their place, their weight, or what is told of them. */
  readonly changed: readonly {
    /** GUID, in lower case in answers. */
    readonly guid: string
    /** Of the map’s files, in lower case. */
    readonly hash: string
    readonly difficulty: string
    readonly characteristic: string
    readonly name: string | null
  }[]
  readonly dryRun: boolean
}

export interface QualifierSeeding {
  readonly dryRun: boolean
  /** Those that advance, in the order of their seeds. */
  readonly teams: readonly {
    readonly seed: number
    readonly rank: number
    /** By the method. */
    readonly value: number
    readonly team: TeamReference
  }[]
  /** What is other than it was. */
  readonly changes: readonly {
    readonly team: TeamReference
    readonly before: {
      readonly status: 'unregistered' | 'registered' | 'qualified'
      readonly seed: number | null
    }
    readonly after: {
      readonly status: 'unregistered' | 'registered' | 'qualified'
      readonly seed: number | null
    }
    /** Brackets that a team leaves that is qualified no more. */
    readonly leaves?: readonly {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly name: string
    }[]
  }[]
  /** Ties that decided who goes on. */
  readonly ties?: readonly DecidedTie[]
  /** SHA-256 of the seed of the draw, in hex digits; told before the draw. */
  readonly commitment?: string
  /** Of the draw, in hex digits: 32 bytes for each of `ties`, in their order. */
  readonly seed?: string
}

export interface QualifierSyncResult {
  readonly success: boolean
  readonly message: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly fetchedAt?: string
  /** It failed, and what was fetched before stays. */
  readonly keptPreviousCache: boolean
  /** New attempts. */
  readonly recorded: number
  /** Rows that are nobody’s result here. */
  readonly unmatched: number
}

/** Local times; hours that end before they begin go over midnight. */
export interface QuietHours {
  readonly from: string
  readonly to: string
  /** IANA name. */
  readonly timezone: string
}

export interface RecountDifference {
  /** GUID, in lower case in answers. */
  readonly categoryGuid: string
  /** GUID, in lower case in answers. */
  readonly nomineeGuid: string
  /** As it was published; null for nothing. */
  readonly before: AwardResult | null
  /** As it is counted now; null for nothing. */
  readonly after: AwardResult | null
}

/** An OAuth application, with its secret where it has one. */
export interface RegisteredApplication {
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
  /** Shown this once: only its hash is kept. Public applications have none. */
  readonly clientSecret?: string
}

export interface RegistrationNote {
  /** Plain text for the staff alone. */
  readonly note: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly notedAt: string | null
}

export interface RehearsalDifference {
  /** `settings/` with the name of a setting; `channels`; `bestOf/` with the short id of the division, the number of the bracket’s first match and the round; or `scheduledAt/` with the short id of the division and the number of a match. */
  readonly field: string
  /** As the tournament has it. */
  readonly real: unknown
  /** As the rehearsal has it. */
  readonly rehearsal: unknown
}

export interface ReplacedAvailabilitySheet {
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
  /** How many answers the sheet can no longer be given, and has lost. */
  readonly dropped: {
    /** Answers of staff to slots and matches. */
    readonly responses: number
    /** Answers of teams to slots. */
    readonly teamResponses: number
    /** Teams of whose answers nothing is left. */
    readonly teamSubmissions: number
  }
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

export interface Reveal {
  /** GUID, in lower case in answers. */
  readonly match?: string
  /** True, in place of `match`. */
  readonly all?: boolean
}

export interface Revealed {
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly horizon: string
  /** Those that it shows in a later state. */
  readonly matches: readonly string[]
}

export interface ReviewedBadgeRequest {
  readonly request: BadgeRequest
  /** Recipients who got nothing. */
  readonly skipped: readonly {
    /** GUID, in lower case in answers. */
    readonly userGuid: string
    readonly why: 'account_deleted' | 'banned'
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

export interface SceneDraft {
  /** GUID, in lower case in answers. */
  readonly overlay: string
  /** Which is published by this number. */
  readonly revision: number
}

export interface ScheduleApplication {
  /** GUIDs of those that get their places; all others keep what they have, also where both do not go together. All unless given. */
  readonly matches?: readonly string[]
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

/** What was, or is to be, told to a platform’s receiver, word for word. */
export interface SentWebhookDelivery {
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
  /** The JSON exactly as it is sent; the signature is made over these bytes. */
  readonly body: string
}

export interface ServiceCheck {
  readonly verdict: 'ok' | 'warning' | 'failure'
  readonly what: string
  /** What was found. */
  readonly detail: string
  /** What to do; null where all is well. */
  readonly advice: {
    readonly text: string
    /** The section of the guide on operating the service that tells more. */
    readonly section: string
  } | null
}

/** Whether the service is well, as the process that answers knows it. */
export interface ServiceHealth {
  /** The worst of all checks. */
  readonly status: 'ok' | 'warning' | 'failure'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly checkedAt: string
  /** What is wrong first. The same as `doctor` prints on the command line. */
  readonly checks: readonly ServiceCheck[]
  /** What acts on changes, one after the other. */
  readonly followers: readonly {
    readonly name: string
    /** Changes that it has not handled yet. */
    readonly behind: number
    /** How long the oldest of these has waited. */
    readonly behindSeconds: number
    /** Changes that it could not handle. */
    readonly setAside: number
  }[]
  readonly queues: readonly {
    readonly name: string
    /** What waits there. */
    readonly help: string
    readonly waiting: number
    /** How long the one that has waited longest is due. */
    readonly oldestSeconds: number
  }[]
  readonly storage: {
    readonly databaseBytes: number
    readonly mediaFiles: number
    readonly mediaBytes: number
    /** Whether media are in a bucket, not on the disk of the service. */
    readonly isMediaInBucket: boolean
    /** Of the disk that has the data directory; null where there is none. */
    readonly freeBytes: number | null
    readonly totalBytes: number | null
  }
  readonly versions: {
    readonly service: string
    readonly node: string
    readonly database: string
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly startedAt: string
  }
  /** The rate limits that somebody has reached. */
  readonly limits: readonly {
    readonly budget: string
    /** Calls that were refused since the process started. */
    readonly refused: number
    /** ISO 8601 instant; UTC with milliseconds in answers. */
    readonly lastAt: string
  }[]
  readonly sockets: {
    readonly open: number
    readonly most: number
  }
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

/** What acts for the user now. A ban ends all of it at once. */
export interface StandingAccess {
  /** Browsers that are signed in on the website. */
  readonly websites: number
  /** Programs that exchanged a chat token. */
  readonly clients: number
  /** Applications that hold a token of the user. */
  readonly applications: number
  /** Valid access tokens, those of all of these together. */
  readonly tokens: number
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
  /** Since when it is of no use. */
  readonly controlFailingSince: string | null
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

export interface StreamServerFailure {
  /** Null where it is not known. */
  readonly since: string | null
  /** `unreachable`: no answer comes; `unusable`: the answer is an error, or not understood; `busy`: it is asked too often. */
  readonly reason: 'unreachable' | 'unusable' | 'busy'
  /** For owners and developers alone, as it names hosts. */
  readonly error: string | null
}

export interface StreamServerTest {
  readonly ok: boolean
  /** How many it has now; null where it did not tell. */
  readonly streams: number | null
  readonly durationMs: number
  readonly error: string | null
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
  /** What the user sends and where they see it, for each enabled server; a test needs `?view=` with the token. */
  readonly watch: readonly {
    readonly server: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly name: string
    }
    readonly play: StreamPlay
    /** Whether the server answered when it was last asked what arrives; `unknown` where it cannot be asked. */
    readonly state: 'unknown' | 'reachable' | 'failing'
    /** Since when and why it does not answer; null unless the state is `failing`. */
    readonly failing: StreamServerFailure | null
    /** What arrives of the user now. */
    readonly live: OwnStream | null
  }[]
  readonly testAllowance: {
    /** For how long the user may still stream today, by the day of UTC, without an assignment. */
    readonly secondsLeft: number
  }
  /** Given as `view` to a server, lets the user watch their own tests. Good for a quarter of an hour. */
  readonly viewToken: string
}

export interface TakenOverlayPackage {
  /** Of the draft, which is the document of the package now. */
  readonly revision: number
  readonly media: readonly {
    /** As the package named it. */
    readonly given: string
    /** As the draft names it. */
    readonly guid: string
  }[]
}

export interface TeamImport {
  /** Nothing was changed: this is what would be done. */
  readonly dryRun: boolean
  readonly rows: readonly {
    /** Line of the file, whose heading is line 1; else the number of the row. */
    readonly line: number
    readonly teamName: string
    readonly outcome: 'created' | 'updated' | 'same' | 'rejected'
    /** Why the row was rejected. */
    readonly reason: string | null
    /** null where there is none: of rejected rows, and of new teams in a dry run. */
    readonly team: {
      /** GUID, in lower case in answers. */
      readonly guid: string
      readonly id: string
      readonly name: string
    } | null
    /** People who have not signed in, and were made members. */
    readonly placeholders: number
    /** Users who were invited. */
    readonly invited: number
    /** Users and earlier placeholders who were made members at once. */
    readonly joined: number
    /** The team was registered by this. */
    readonly registered: boolean
    /** What the organiser may want to look at. */
    readonly notes: readonly string[]
  }[]
  readonly totals: {
    readonly created: number
    readonly updated: number
    readonly same: number
    readonly rejected: number
    readonly placeholders: number
    readonly invited: number
    readonly joined: number
    readonly registered: number
  }
}

export interface TeamRank {
  readonly team: TeamReference
  /** To one decimal; 1 is best. */
  readonly rank: number | null
  /** Active members with a rank. */
  readonly ranked: number
  /** Active members. */
  readonly players: number
}

export interface TestedAnnouncements {
  readonly announcements: readonly {
    readonly kind: 'match_called' | 'match_started' | 'match_finished' | 'round_ready' | 'schedule_changed' | 'registration_opened' | 'registration_closing' | 'team_registered' | 'bracket_published' | 'pool_published' | 'stream_live' | 'placements'
    /** `main` or a label; null while the kind is off, or its channel has no webhook. */
    readonly channel: string | null
    /** The message in the Markdown of the chat platform, at most 2,000 characters. */
    readonly content: string
    readonly mentionedRoles: readonly string[]
    /** Of the message, in `GET …/deliveries`; null where it was not sent. */
    readonly delivery: string | null
  }[]
}

export interface TokenResponse {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds. */
  readonly expires_in: number
  readonly refresh_token: string
  /** Space-separated, as granted. */
  readonly scope: string
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

export interface Tournament {
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
}

export interface TournamentChanges {
  readonly name?: string
  /** Short id. */
  readonly id?: string
  /** Plain text. */
  readonly summary?: string | null
  /** What the tournament is, in Markdown. */
  readonly description?: string | null
  /** The rules, in Markdown. */
  readonly rules?: string | null
  /** What is to be won, in Markdown. */
  readonly prizes?: string | null
  /** Address of the logo. */
  readonly imageUrl?: string | null
  /** Address of the banner. */
  readonly bannerUrl?: string | null
  /** IANA name. */
  readonly timezone?: string
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly startsAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly endsAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly registrationOpensAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly registrationClosesAt?: string | null
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly rosterLocksAt?: string | null
  /** Players of a team, and how many of them are on the field; what is not given stays. */
  readonly teamSize?: {
    readonly min?: number
    readonly max?: number
    readonly active?: number
  }
  /** Registered teams at most; null for no limit. */
  readonly capacity?: number | null
  readonly publicRegistration?: boolean
  /** What players must fulfil; replaces all earlier requirements. */
  readonly requirements?: {
    /** ISO 3166-1 alpha-2 codes, and `XK`. */
    readonly countries?: readonly string[] | null
    readonly rankA?: {
      readonly min?: number | null
      readonly max?: number | null
    } | null
    readonly rankB?: {
      readonly min?: number | null
      readonly max?: number | null
    } | null
    readonly rankingA?: boolean | null
    readonly rankingB?: boolean | null
    readonly emailVerified?: boolean | null
    readonly chatAccountAgeDays?: number | null
    readonly verifiedLinks?: boolean | null
  }
  /** Questions to those who register; replaces the earlier ones. A field that keeps its GUID keeps its answers. All together have at most 32000 characters, as the record shows them in JSON. */
  readonly additionalFields?: readonly {
    /** GUID, in lower case in answers. */
    readonly guid?: string
    readonly label: string
    readonly help?: string | null
    readonly type: 'text' | 'number' | 'select' | 'map' | 'boolean'
    readonly required?: boolean
    readonly options?: readonly string[]
    readonly subject?: 'team' | 'player'
    /** Answers are shown to staff alone; those that are given while it is so, ever after. */
    readonly private?: boolean
  }[]
  /** What is not given stays. */
  readonly links?: {
    /** Address of an invitation to the chat. */
    readonly chatInvite?: string | null
    /** Address of the website. */
    readonly website?: string | null
    /** Address of the stream. */
    readonly stream?: string | null
    /** Address of the rules. */
    readonly rulesUrl?: string | null
  }
  /** Webhook of the chat channel that updates go to. Never returned. */
  readonly chatWebhookUrl?: string | null
  /** Webhooks of further chat channels; replaces all earlier ones. */
  readonly chatWebhooks?: readonly {
    readonly label: string
    /** Never returned; without it, the label keeps its address. */
    readonly url?: string
  }[]
  /** What the chat is told by itself: for each kind `off`, `main` (the tournament’s webhook) or the label of a further webhook. What is not given stays. */
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
  /** IDs of the chat’s roles that are mentioned in messages of a kind; nobody else ever is. What is not given stays. */
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
  /** BCP 47, of the texts that the service writes for the tournament. */
  readonly language?: string
  /** How far the stream is behind the matches: by so much, or by the longest delay of its channels, results are late for whoever asks for them with `delayed`. */
  readonly streamDelaySeconds?: number
  /** Who may follow scores while a map is played: everybody who sees the match, or the staff alone. */
  readonly liveScores?: 'public' | 'staff'
  /** With `held`, everybody but the staff sees the competition as late as the stream is, asked for or not, and players their own matches as they are now. It cannot hold back what people write, stream or reschedule. With `open`, only viewers who ask for it with `delayed` do. */
  readonly spoilerMode?: 'open' | 'held'
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly expectedUpdatedAt?: string | null
}

export interface TournamentPackage {
  /** ISO 8601 instant; UTC with milliseconds in answers. */
  readonly at: string
  readonly by: UserCard
  readonly variant: 'public' | 'full' | 'anonymised'
  /** Whether private answers, notes and reasons are in it. */
  readonly private: boolean
  readonly bytes: number
  /** Of the whole file, in hex. */
  readonly sha256: string
  readonly direction: 'export' | 'import'
  /** Whether the key that signed it is known here. */
  readonly signer: 'known' | 'unknown' | 'unsigned'
}

/** A tournament, in short. */
export interface TournamentSummary {
  /** GUID, in lower case in answers. */
  readonly guid: string
  readonly id: string
  readonly name: string
  readonly status: 'draft' | 'approved' | 'ongoing' | 'completed' | 'cancelled'
}

export interface TournamentUpdateEdit {
  /** Markdown. */
  readonly content: string
  /** The `updatedAt` that the caller has seen; null before the first edit. */
  readonly expectedUpdatedAt: string | null
  /** Plain text. */
  readonly title?: string
  /** Before/after cards, free in form; at most 24,000 characters of JSON and 500 texts altogether. Their texts are Markdown; together they may hold as much markup as one long text. */
  readonly changes?: readonly Readonly<Record<string, unknown>>[]
}

export interface UpdatePreview {
  readonly html: RenderedUpdate
  /** The messages in the order in which they are sent. */
  readonly messages: readonly {
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
  }[]
}

export interface UpdateToPreview {
  /** Markdown. */
  readonly content: string
  /** Plain text. */
  readonly title?: string
  /** Before/after cards, free in form; at most 24,000 characters of JSON and 500 texts altogether. Their texts are Markdown; together they may hold as much markup as one long text. */
  readonly changes?: readonly Readonly<Record<string, unknown>>[]
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
  readonly html?: RenderedDescription
  readonly preferredName?: string
  readonly pronouns?: string | null
  /** How the preferred name is spoken. */
  readonly pronunciation?: string | null
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
      readonly status: 'draft' | 'approved' | 'ongoing' | 'completed' | 'cancelled'
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

/** What became of a test of one channel. */
export interface WebhookTestResult {
  readonly ok: boolean
  /** HTTP status of the answer; null when none came. */
  readonly status: number | null
  readonly durationMs: number
  /** Why it did not succeed; null when it did. */
  readonly error: string | null
}

export interface WebsiteToken {
  /** The access token, under the name that `GET /requestAuthToken` uses. */
  readonly token: string
  /** The same, under the name that the OAuth token response uses. */
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds. */
  readonly expires_in: number
  /** Space-separated. */
  readonly scope: string
}

export interface WholeFlow {
  readonly name: string
  /** Name of a preset. */
  readonly basedOn?: string | null
  readonly seats?: number
  /** Odd; unset for any. */
  readonly bestOf?: 1 | 3 | 5 | 7 | 9 | 11 | 13 | 15 | 17 | 19 | 21 | 23 | 25 | 27 | 29 | 31 | 33 | 35 | 37 | 39 | 41 | 43 | 45 | 47 | 49 | 51 | 53 | 55 | 57 | 59 | 61 | 63 | 65 | 67 | 69 | 71 | 73 | 75 | 77 | 79 | 81 | 83 | 85 | 87 | 89 | 91 | 93 | 95 | 97 | 99 | null
  /** Orders that are chosen. */
  readonly pairs?: readonly string[]
  readonly rules?: FlowRulesInput
  /** Steps, and blocks `{repeat, steps}` or `{each, steps}`, at most two within each other: 60 as they are written, 300 as they are taken, and the whole flow 64 KiB as JSON with all its members. */
  readonly steps: readonly unknown[]
  /** The `updatedAt` that the caller has seen; unset, whatever is there is replaced. */
  readonly expectedUpdatedAt?: string | null
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
