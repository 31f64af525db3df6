// SPDX-License-Identifier: Apache-2.0 OR MIT

// A storage provider's node, as the daemon sees it: one connection of grpc-go for all, calls of Prove
// with deadlines and retries, at most ten at once. Its answers go to files, and a line of JSON for
// each to standard output; who runs it verifies the proofs.
//
//	node ADDRESS CASES OUT SCENARIO
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"sync"
	"time"

	"cuzk/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	messageBytes  = 256 << 20
	proveTimeout  = 30 * time.Minute
	statusTimeout = 5 * time.Second
	maxPending    = 10
)

// ---- cases ----

type sector struct {
	SectorNumber uint64 `json:"sector_number"`
	CommR        string `json:"comm_r"`
}

type caseValues struct {
	MinerID         uint64   `json:"miner_id"`
	SectorNumber    uint64   `json:"sector_number"`
	RegisteredProof uint64   `json:"registered_proof"`
	SealProof       string   `json:"registered_seal_proof"`
	Randomness      string   `json:"randomness"`
	CommROld        string   `json:"comm_r_old"`
	CommRNew        string   `json:"comm_r_new"`
	CommDNew        string   `json:"comm_d_new"`
	Sectors         []sector `json:"sectors"`
}

// Commit phase 1 as a node hands it over: the bare JSON in base64 within.
type phase1 struct {
	SectorNum  uint64
	Phase1Out  []byte
	SectorSize uint64
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(folder, name string, value interface{}) {
	text, err := ioutil.ReadFile(filepath.Join(folder, name))
	must(err)
	must(json.Unmarshal(text, value))
}

func fromHex(text string) []byte {
	out, err := hex.DecodeString(text)
	must(err)
	return out
}

type node struct {
	conn    *grpc.ClientConn
	client  cuzkv1.ProvingEngineClient
	cases   string
	out     string
	pending chan struct{}
	mutex   sync.Mutex
	files   int
}

// ---- requests of each kind ----

func (n *node) values(name string) caseValues {
	var v caseValues
	read(filepath.Join(n.cases, name), "case.json", &v)
	return v
}

func (n *node) vanilla(name string) [][]byte {
	var list [][]byte
	read(filepath.Join(n.cases, name), "vanilla.json", &list)
	return list
}

func (n *node) porep(name string) *cuzkv1.SubmitProofRequest {
	v := n.values(name)
	var wrapper phase1
	read(filepath.Join(n.cases, name), "c1.json", &wrapper)
	text, err := json.Marshal(wrapper)
	must(err)
	return &cuzkv1.SubmitProofRequest{
		RequestId:       fmt.Sprintf("porep-%d-%d", v.MinerID, v.SectorNumber),
		ProofKind:       cuzkv1.ProofKind_POREP_SEAL_COMMIT,
		SectorSize:      wrapper.SectorSize,
		RegisteredProof: 5,
		Priority:        cuzkv1.Priority_NORMAL,
		VanillaProof:    text,
		SectorNumber:    v.SectorNumber,
		MinerId:         v.MinerID,
	}
}

// The same from the proof market: the C1 written anew, keys in another order.
func (n *node) marketPorep(name string, task int) *cuzkv1.SubmitProofRequest {
	request := n.porep(name)
	var wrapper phase1
	must(json.Unmarshal(request.VanillaProof, &wrapper))
	var inner map[string]interface{}
	decoder := json.NewDecoder(bytes.NewReader(wrapper.Phase1Out))
	decoder.UseNumber()
	must(decoder.Decode(&inner))
	text, err := json.Marshal(inner)
	must(err)
	if bytes.Equal(text, wrapper.Phase1Out) {
		must(fmt.Errorf("%s: written anew it is the same", name))
	}
	wrapper.Phase1Out = text
	request.VanillaProof, err = json.Marshal(wrapper)
	must(err)
	request.RequestId = fmt.Sprintf("ps-porep-%d-%d-%d", request.MinerId, request.SectorNumber, task)
	return request
}

func (n *node) update(name string) *cuzkv1.SubmitProofRequest {
	v := n.values(name)
	return &cuzkv1.SubmitProofRequest{
		RequestId:       fmt.Sprintf("snap-%d-%d", v.MinerID, v.SectorNumber),
		ProofKind:       cuzkv1.ProofKind_SNAP_DEALS_UPDATE,
		SectorSize:      2048,
		RegisteredProof: v.RegisteredProof,
		Priority:        cuzkv1.Priority_NORMAL,
		VanillaProofs:   n.vanilla(name),
		SectorNumber:    v.SectorNumber,
		MinerId:         v.MinerID,
		CommROld:        fromHex(v.CommROld),
		CommRNew:        fromHex(v.CommRNew),
		CommDNew:        fromHex(v.CommDNew),
	}
}

// The proof market leaves the sector's size out.
func (n *node) marketUpdate(name string, task int) *cuzkv1.SubmitProofRequest {
	request := n.update(name)
	request.RequestId = fmt.Sprintf("ps-snap-%d-%d-%d", request.MinerId, request.SectorNumber, task)
	request.SectorSize = 0
	return request
}

// A partition of a deadline: the sectors from first up to end. All partitions of a deadline have the
// same request id.
func (n *node) window(name string, first, end int) *cuzkv1.SubmitProofRequest {
	v := n.values(name)
	randomness := fromHex(v.Randomness)
	return &cuzkv1.SubmitProofRequest{
		RequestId:       fmt.Sprintf("wdpost-%d-%d-%v", v.MinerID, 0, randomness[:8]),
		ProofKind:       cuzkv1.ProofKind_WINDOW_POST_PARTITION,
		SectorSize:      2048,
		RegisteredProof: v.RegisteredProof,
		Priority:        cuzkv1.Priority_HIGH,
		VanillaProofs:   n.vanilla(name)[first:end],
		MinerId:         v.MinerID,
		Randomness:      randomness,
	}
}

func (n *node) winning(name string) *cuzkv1.SubmitProofRequest {
	v := n.values(name)
	return &cuzkv1.SubmitProofRequest{
		RequestId:       fmt.Sprintf("winpost-%d-%s", v.MinerID, v.Randomness),
		ProofKind:       cuzkv1.ProofKind_WINNING_POST,
		SectorSize:      2048,
		RegisteredProof: v.RegisteredProof,
		Priority:        cuzkv1.Priority_CRITICAL,
		VanillaProofs:   n.vanilla(name),
		MinerId:         v.MinerID,
		Randomness:      fromHex(v.Randomness),
	}
}

// ---- calls ----

// A call of Prove with a deadline of the node's own.
func (n *node) prove(request *cuzkv1.SubmitProofRequest, timeout time.Duration) (
	*cuzkv1.AwaitProofResponse, error) {
	n.pending <- struct{}{}
	defer func() { <-n.pending }()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	reply, err := n.client.Prove(ctx, &cuzkv1.ProveRequest{Submit: request})
	if err != nil {
		return nil, err
	}
	if reply.Result.Status != cuzkv1.AwaitProofResponse_COMPLETED {
		return nil, fmt.Errorf("%s: %v: %s", request.RequestId, reply.Result.Status,
			reply.Result.ErrorMessage)
	}
	if len(reply.Result.Proof) == 0 {
		return nil, fmt.Errorf("%s: the proof is empty", request.RequestId)
	}
	return reply.Result, nil
}

func (n *node) inFlight() (pending, inProgress uint32) {
	ctx, cancel := context.WithTimeout(context.Background(), statusTimeout)
	defer cancel()
	reply, err := n.client.GetStatus(ctx, &cuzkv1.GetStatusRequest{})
	must(err)
	for _, queue := range reply.Queues {
		pending += queue.Pending
		inProgress += queue.InProgress
	}
	return
}

// What a scenario has to tell: the proof of a case, of the sectors from first up to end.
type answer struct {
	Case  string `json:"case"`
	First int    `json:"first"`
	End   int    `json:"end"`
	JobID string `json:"job_id"`
	File  string `json:"file"`
	Hex   string `json:"proof"`
}

func (n *node) tell(name string, first, end int, result *cuzkv1.AwaitProofResponse) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.files++
	file := filepath.Join(n.out, fmt.Sprintf("proof-%d", n.files))
	must(ioutil.WriteFile(file, result.Proof, 0644))
	line, err := json.Marshal(answer{name, first, end, result.JobId, file,
		hex.EncodeToString(result.Proof)})
	must(err)
	fmt.Println(string(line))
}

func (n *node) proveAndTell(name string, first, end int, request *cuzkv1.SubmitProofRequest) {
	result, err := n.prove(request, proveTimeout)
	must(err)
	n.tell(name, first, end, result)
}

// ---- scenarios ----

// PoSts, one after the other and all at once. The partitions of a window, and one of them without a
// skipped sector, come with one request id.
func (n *node) posts() {
	jobs := []func(){
		func() { n.proveAndTell("winning-2KiB", 0, 1, n.winning("winning-2KiB")) },
		func() { n.proveAndTell("window-2KiB", 0, 2, n.window("window-2KiB", 0, 2)) },
		func() { n.proveAndTell("window-2KiB", 2, 3, n.window("window-2KiB", 2, 3)) },
		func() { n.proveAndTell("window-2KiB", 0, 1, n.window("window-2KiB", 0, 1)) },
	}
	jobs[0]()
	n.together(jobs[1:])
	n.together(jobs) // again: the proofs that are there
}

func (n *node) together(jobs []func()) {
	var group sync.WaitGroup
	for _, job := range jobs {
		group.Add(1)
		go func(job func()) {
			defer group.Done()
			job()
		}(job)
	}
	group.Wait()
}

// PoReps and updates, from the node and from the proof market, beside PoSts.
func (n *node) sealing() {
	n.together([]func(){
		func() { n.proveAndTell("porep-2KiB-0", 0, 1, n.porep("porep-2KiB-0")) },
		func() { n.proveAndTell("porep-2KiB-1", 0, 1, n.marketPorep("porep-2KiB-1", 7)) },
		func() { n.proveAndTell("update-2KiB", 0, 1, n.update("update-2KiB")) },
		func() { n.proveAndTell("update-2KiB", 0, 1, n.marketUpdate("update-2KiB", 8)) },
		func() { n.proveAndTell("winning-2KiB", 0, 1, n.winning("winning-2KiB")) },
		func() { n.proveAndTell("window-2KiB", 0, 2, n.window("window-2KiB", 0, 2)) },
	})
}

// A call whose deadline passes, and the same again.
func (n *node) retry(name string, end int, request *cuzkv1.SubmitProofRequest,
	leave time.Duration) {
	_, err := n.prove(request, leave)
	if status.Code(err) != codes.DeadlineExceeded {
		must(fmt.Errorf("%s: left after %v: %v", name, leave, err))
	}
	n.proveAndTell(name, 0, end, request)
}

func (n *node) retryPosts() {
	n.retry("winning-2KiB", 1, n.winning("winning-2KiB"), 300*time.Millisecond)
	n.retry("window-2KiB", 2, n.window("window-2KiB", 0, 2), 100*time.Millisecond)
}

func (n *node) retryPorep() {
	n.retry("porep-2KiB-0", 1, n.porep("porep-2KiB-0"), time.Second)
}

// The sum of pending and in progress, which the node takes its own next steps from, is right from the
// moment a call is accepted.
func (n *node) counts() {
	ctx, cancel := context.WithCancel(context.Background())
	for i := 1; i <= maxPending; i++ {
		request := n.winning("winning-2KiB")
		request.RequestId = fmt.Sprintf("%s-%d", request.RequestId, i)
		_, err := n.client.SubmitProof(ctx, request)
		must(err)
		pending, inProgress := n.inFlight()
		fmt.Printf("{\"submitted\":%d,\"in_flight\":%d}\n", i, pending+inProgress)
	}
	cancel()
}

// A bad request gets its reason; nothing else is a status but COMPLETED.
func (n *node) refused() {
	request := n.winning("winning-2KiB")
	request.Randomness[0] ^= 1
	_, err := n.prove(request, proveTimeout)
	fmt.Printf("{\"code\":%q,\"text\":%q}\n", status.Code(err), status.Convert(err).Message())
}

// Lines on standard input make it prove on, over the one connection.
func (n *node) onDemand() {
	var line string
	for {
		if _, err := fmt.Scanln(&line); err != nil {
			return
		}
		request := n.winning("winning-2KiB")
		request.RequestId += line
		result, err := n.prove(request, proveTimeout)
		if err != nil {
			fmt.Printf("{\"code\":%q,\"text\":%q}\n", status.Code(err),
				status.Convert(err).Message())
			continue
		}
		n.tell("winning-2KiB", 0, 1, result)
	}
}

func main() {
	if len(os.Args) != 5 {
		must(fmt.Errorf("usage: node ADDRESS CASES OUT SCENARIO"))
	}
	conn, err := grpc.Dial(os.Args[1], grpc.WithInsecure(), grpc.WithDefaultCallOptions(
		grpc.MaxCallRecvMsgSize(messageBytes), grpc.MaxCallSendMsgSize(messageBytes)))
	must(err)
	n := &node{conn: conn, client: cuzkv1.NewProvingEngineClient(conn), cases: os.Args[2],
		out: os.Args[3], pending: make(chan struct{}, maxPending)}
	scenarios := map[string]func(){"posts": n.posts, "sealing": n.sealing,
		"retry-posts": n.retryPosts, "retry-porep": n.retryPorep, "counts": n.counts,
		"refused": n.refused, "on-demand": n.onDemand}
	scenario, known := scenarios[os.Args[4]]
	if !known {
		must(fmt.Errorf("%q is no scenario", os.Args[4]))
	}
	scenario()
	must(conn.Close())
}
