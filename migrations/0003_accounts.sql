CREATE TABLE "email_verifications" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_guid" uuid NOT NULL,
	"email" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"refused_at" timestamp (3) with time zone,
	"used_at" timestamp (3) with time zone,
	"voided_at" timestamp (3) with time zone,
	CONSTRAINT "email_verifications_token_hash" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "sign_in_places" (
	"user_guid" uuid NOT NULL,
	"place" text NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sign_in_places_user_guid_place_pk" PRIMARY KEY("user_guid","place")
);
--> statement-breakpoint
CREATE TABLE "applications" (
	"client_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_guid" uuid NOT NULL,
	"name" text NOT NULL,
	"image_url" text,
	"type" text NOT NULL,
	"scopes" text[] NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"secret_hash" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "applications_type_known" CHECK ("applications"."type" in ('confidential', 'public')),
	CONSTRAINT "applications_secret_by_type" CHECK (("applications"."type" = 'public') = ("applications"."secret_hash" is null))
);
--> statement-breakpoint
CREATE TABLE "authorization_codes" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"user_guid" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"redirect_uri" text NOT NULL,
	"challenge" text,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "authorization_codes_hash" UNIQUE("code_hash")
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"user_guid" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consents_user_guid_client_id_pk" PRIMARY KEY("user_guid","client_id")
);
--> statement-breakpoint
CREATE TABLE "device_requests" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"device_code_hash" "bytea" NOT NULL,
	"user_code_seal" text NOT NULL,
	"client_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"interval" integer NOT NULL,
	"asked_at" timestamp (3) with time zone,
	"user_guid" uuid,
	"decision" text,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "device_requests_device_code" UNIQUE("device_code_hash"),
	CONSTRAINT "device_requests_user_code" UNIQUE("user_code_seal"),
	CONSTRAINT "device_requests_decided_by_somebody" CHECK (("device_requests"."decision" is null) = ("device_requests"."user_guid" is null))
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"guid" uuid PRIMARY KEY NOT NULL,
	"user_guid" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"grant_guid" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "identities" ADD COLUMN "proof_made_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "grant_guid" uuid;--> statement-breakpoint
ALTER TABLE "email_verifications" ADD CONSTRAINT "email_verifications_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_places" ADD CONSTRAINT "sign_in_places_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_owner_guid_users_guid_fk" FOREIGN KEY ("owner_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."applications"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."applications"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_requests" ADD CONSTRAINT "device_requests_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."applications"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_requests" ADD CONSTRAINT "device_requests_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."applications"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_grant_guid_grants_guid_fk" FOREIGN KEY ("grant_guid") REFERENCES "public"."grants"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_verifications_of_user" ON "email_verifications" USING btree ("user_guid","requested_at","guid");--> statement-breakpoint
CREATE INDEX "email_verifications_to_address" ON "email_verifications" USING btree (lower("email"),"requested_at");--> statement-breakpoint
CREATE INDEX "email_verifications_expiry" ON "email_verifications" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_places_last_seen" ON "sign_in_places" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "applications_of_owner" ON "applications" USING btree ("owner_guid","created_at","client_id");--> statement-breakpoint
CREATE INDEX "authorization_codes_of_user" ON "authorization_codes" USING btree ("user_guid","client_id");--> statement-breakpoint
CREATE INDEX "authorization_codes_of_application" ON "authorization_codes" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "authorization_codes_expiry" ON "authorization_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "consents_of_application" ON "consents" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "device_requests_of_user" ON "device_requests" USING btree ("user_guid") WHERE "device_requests"."user_guid" is not null;--> statement-breakpoint
CREATE INDEX "device_requests_of_application" ON "device_requests" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "device_requests_expiry" ON "device_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "grants_of_user" ON "grants" USING btree ("user_guid","client_id");--> statement-breakpoint
CREATE INDEX "grants_of_application" ON "grants" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "grants_last_use" ON "grants" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "refresh_tokens_of_grant" ON "refresh_tokens" USING btree ("grant_guid");--> statement-breakpoint
CREATE INDEX "refresh_tokens_expiry" ON "refresh_tokens" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_grant_guid_grants_guid_fk" FOREIGN KEY ("grant_guid") REFERENCES "public"."grants"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "field_answers_of_user" ON "field_answers" USING btree ("user_guid") WHERE "field_answers"."user_guid" is not null;--> statement-breakpoint
CREATE INDEX "team_invitations_by" ON "team_invitations" USING btree ("invited_by_guid","created_at");--> statement-breakpoint
CREATE INDEX "teams_any_id" ON "teams" USING btree ("id" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "identities_claims" ON "identities" USING btree ("platform","external_id") WHERE "identities"."verified_at" is null;--> statement-breakpoint
CREATE INDEX "visibility_requests_decided_by" ON "visibility_requests" USING btree ("decided_by_guid","decided_at") WHERE "visibility_requests"."decided_by_guid" is not null;--> statement-breakpoint
CREATE INDEX "event_log_actor" ON "event_log" USING btree ("actor","seq") WHERE "event_log"."actor" is not null;--> statement-breakpoint
CREATE INDEX "access_tokens_of_grant" ON "access_tokens" USING btree ("grant_guid") WHERE "access_tokens"."grant_guid" is not null;