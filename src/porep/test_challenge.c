/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "porep/challenge.h"
#include "porep/graph.h"

/* Both tables: tools/ref/porep_graph.py, which agrees with what the reference publishes. */

/* Parents at the sizes no test can seal. */
static const struct {
    uint32_t number, node, parents[POREP_DEGREE];
} parent_rows[] = {
    {2,
     2u,
     {0u, 1u, 1u, 1u, 1u, 1u, 8065392u, 2829640u, 53508u, 12902479u, 14471119u, 609234u, 14975486u,
      16495607u}},
    {2,
     777777u,
     {772407u, 372146u, 777776u, 777765u, 252270u, 777776u, 1023006u, 8266847u, 3494160u, 2952090u,
      4384868u, 4133037u, 828569u, 5446421u}},
    {2,
     16777215u,
     {13926596u, 16715569u, 16777214u, 16777092u, 16777077u, 16777214u, 4641468u, 9501621u,
      3863873u, 15581136u, 13860790u, 16039890u, 5030486u, 7513958u}},
    {3,
     2u,
     {0u, 0u, 1u, 0u, 0u, 1u, 400853530u, 328272173u, 484523968u, 337953528u, 195912658u,
      380473339u, 445606617u, 401399919u}},
    {3,
     777777u,
     {777763u, 776732u, 777776u, 777732u, 777776u, 777776u, 511664830u, 446208727u, 89121830u,
      131828470u, 312217556u, 356827782u, 393408061u, 189105992u}},
    {3,
     1073741823u,
     {1073717791u, 1073729651u, 356271464u, 1073741667u, 1073518238u, 1073741822u, 195269793u,
      55928625u, 117716005u, 370196974u, 457529501u, 256849605u, 282938428u, 400621728u}},
    {4,
     2u,
     {1u, 0u, 0u, 1u, 1u, 1u, 41578211u, 98678541u, 201847558u, 133755553u, 343172703u, 359045127u,
      209359854u, 387247893u}},
    {4,
     777777u,
     {776898u, 666074u, 772959u, 714197u, 777754u, 777776u, 226736097u, 239053805u, 263569459u,
      260324086u, 308159234u, 1264263u, 416856331u, 249941369u}},
    {4,
     2147483647u,
     {2141235863u, 2147212826u, 2147482039u, 772148166u, 2147483452u, 2147483646u, 410488621u,
      225034157u, 275186360u, 7928278u, 248739608u, 415470629u, 20246382u, 24229879u}},
    {7,
     2u,
     {1u, 1u, 1u, 0u, 0u, 0u, 11261698u, 5000122u, 15349137u, 10483761u, 14256289u, 8132111u,
      10098520u, 16292377u}},
    {7,
     777777u,
     {777776u, 775012u, 777773u, 773826u, 337622u, 777424u, 12865609u, 713725u, 10581174u,
      16615672u, 11046264u, 16375841u, 15915273u, 3483414u}},
    {7,
     16777215u,
     {16777214u, 16760915u, 16777214u, 16776876u, 16777210u, 16418453u, 5690592u, 9553337u,
      16007622u, 6808061u, 1671444u, 4870269u, 8656997u, 3275082u}},
    {8,
     2u,
     {1u, 1u, 0u, 1u, 0u, 0u, 694934376u, 792214855u, 560882435u, 923855168u, 468160064u,
      444658509u, 700174899u, 650486437u}},
    {8,
     777777u,
     {777776u, 777776u, 776768u, 774459u, 777776u, 777775u, 976457307u, 747628350u, 371395937u,
      108108552u, 813880949u, 539065803u, 696647794u, 930704605u}},
    {8,
     1073741823u,
     {1073741822u, 1073258530u, 440642413u, 663190843u, 1073741654u, 1073741786u, 307718517u,
      715446084u, 558280128u, 265147410u, 110937796u, 626719228u, 201839602u, 653041812u}},
    {9,
     2u,
     {1u, 1u, 0u, 1u, 0u, 0u, 712831275u, 1199298225u, 376978799u, 1694222890u, 1893784888u,
      258014408u, 1369861727u, 1689646049u}},
    {9,
     777777u,
     {777776u, 378974u, 777748u, 777769u, 777577u, 777776u, 786247679u, 200946921u, 324784577u,
      15781902u, 1075351861u, 117782919u, 2083744669u, 875156386u}},
    {9,
     2147483647u,
     {2147483646u, 2147483645u, 2147473607u, 2147483646u, 2147483609u, 1322413322u, 319537050u,
      259923117u, 180788485u, 1838730986u, 786079656u, 319786570u, 1561782586u, 1183784015u}},
    {13,
     2u,
     {1u, 1u, 1u, 1u, 0u, 0u, 130424484u, 244858574u, 779888709u, 743489231u, 252630561u,
      429817760u, 798252349u, 108362084u}},
    {13,
     777777u,
     {777776u, 775952u, 777764u, 776985u, 777708u, 768075u, 545183787u, 669984017u, 256438844u,
      65365075u, 842318466u, 460482145u, 924099162u, 1002242578u}},
    {13,
     1073741823u,
     {1073741822u, 1073734688u, 530999251u, 1073741771u, 1073741298u, 458181114u, 34674779u,
      579900782u, 362097021u, 904567645u, 658590122u, 621916894u, 905799680u, 419686056u}},
    {19,
     2u,
     {1u, 0u, 1u, 1u, 1u, 1u, 335520550u, 211208144u, 434544993u, 90902684u, 1233161263u,
      1109075969u, 1323138489u, 2107398614u}},
    {19,
     777777u,
     {777776u, 678602u, 774147u, 777715u, 777718u, 603616u, 1715233881u, 1946275459u, 914639057u,
      1046171678u, 1465951639u, 875014541u, 2144953751u, 1430763891u}},
    {19,
     2147483647u,
     {2147483646u, 2147473146u, 2147483646u, 2147306305u, 2077976485u, 2147457360u, 1339109045u,
      1603120926u, 160550479u, 364400255u, 696193675u, 1409385560u, 592697608u, 124768082u}},
};

/* The first and last challenge of the whole proof, then of one of its last partition. */
static const struct {
    uint32_t number, partition, nodes[4];
} challenge_rows[] = {
    {2, 0, {3845091u, 14322267u, 3845091u, 14322267u}},
    {3, 9, {932511459u, 571972633u, 213245192u, 873140890u}},
    {4, 9, {731712166u, 1115890093u, 1206289050u, 920455710u}},
    {8, 9, {932511459u, 571972633u, 213245192u, 873140890u}},
    {9, 9, {731712166u, 1115890093u, 1206289050u, 920455710u}},
    {12, 0, {8740713u, 2803349u, 8740713u, 2803349u}},
    {13, 9, {920821323u, 222258124u, 815555168u, 202532246u}},
    {14, 9, {1904160233u, 712243510u, 1075198645u, 662001424u}},
    {17, 12, {14365436u, 484868u, 13269861u, 10846735u}},
    {18, 125, {657107501u, 88059477u, 661488046u, 362128775u}},
    {19, 125, {886142720u, 1417804349u, 850825826u, 1107111207u}},
};

static void test_parents(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof parent_rows / sizeof *parent_rows; i++) {
        porep_graph_t graph;
        uint32_t parents[POREP_DEGREE];

        porep_graph_init(&graph, porep_config_by_number(parent_rows[i].number));
        porep_graph_parents(&graph, parent_rows[i].node, parents);
        assert_memory_equal(parents, parent_rows[i].parents, sizeof parents);
    }
}

static void fill(uint8_t bytes[32], uint8_t value, size_t n)
{
    memset(bytes, 0, 32);
    memset(bytes, value, n);
}

static porep_randomness_t randomness(void)
{
    porep_randomness_t r;

    fill(r.replica_id, 0x55, 31);
    fill(r.comm_r, 0xaa, 31);
    fill(r.seed, 1, 32);
    return r;
}

static void test_challenges(void **state)
{
    const porep_randomness_t r = randomness();

    (void)state;
    for (size_t i = 0; i < sizeof challenge_rows / sizeof *challenge_rows; i++) {
        const porep_config_t *config = porep_config_by_number(challenge_rows[i].number);
        const uint32_t *want = challenge_rows[i].nodes;
        uint32_t nodes[POREP_MAX_CHALLENGES];

        porep_challenges(nodes, config, &r, 0);
        assert_int_equal(nodes[0], want[0]);
        assert_int_equal(nodes[config->n_challenges - 1], want[1]);
        porep_challenges(nodes, config, &r, challenge_rows[i].partition);
        assert_int_equal(nodes[0], want[2]);
        assert_int_equal(nodes[config->n_challenges - 1], want[3]);
    }
}

/* what each kind depends on, and that nodes are in range */
static void test_dependence(void **state)
{
    (void)state;
    for (uint32_t number = 0; number < POREP_PROOFS; number++) {
        const porep_config_t *config = porep_config_by_number(number);
        const size_t n_bytes = config->n_challenges * sizeof(uint32_t);
        uint32_t nodes[POREP_MAX_CHALLENGES], others[POREP_MAX_CHALLENGES];
        porep_randomness_t r = randomness();

        if (config->n_challenges < POREP_MAX_CHALLENGES) continue; /* few: they may agree */
        for (uint32_t k = 0; k < config->n_partitions; k++) {
            porep_challenges(nodes, config, &r, k);
            for (size_t i = 0; i < config->n_challenges; i++) {
                assert_true(nodes[i] > 0 && nodes[i] < config->sector_size / 32);
            }
        }
        porep_challenges(nodes, config, &r, 3);
        r.replica_id[0] ^= 1;
        porep_challenges(others, config, &r, 3);
        assert_memory_not_equal(nodes, others, n_bytes);
        r.replica_id[0] ^= 1;
        r.seed[0] ^= 1;
        porep_challenges(others, config, &r, 3);
        assert_int_equal(memcmp(nodes, others, n_bytes) == 0,
                         config->feature == POREP_NON_INTERACTIVE);
        r.seed[0] ^= 1;
        r.comm_r[0] ^= 1;
        porep_challenges(others, config, &r, 3);
        assert_int_equal(memcmp(nodes, others, n_bytes) == 0, config->feature == POREP_INTERACTIVE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parents),
        cmocka_unit_test(test_challenges),
        cmocka_unit_test(test_dependence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
